import { describe, expect, it } from 'vitest'
import { usagePieces } from './usage-pieces.ts'

const at = (text: string) => Date.parse(`2026-01-${text}Z`)
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('usagePieces', () => {
  it('returns days in the middle, hours next to them and records at the ends', () => {
    expect(usagePieces(at('01T22:30:00'), at('05T01:00:00.001'))).toEqual([
      { from: at('01T22:30:00'), to: at('01T23:00:00') },
      { from: at('01T23:00:00'), to: at('02T00:00:00'), span: HOUR },
      { from: at('02T00:00:00'), to: at('05T00:00:00'), span: DAY },
      { from: at('05T00:00:00'), to: at('05T01:00:00'), span: HOUR },
      { from: at('05T01:00:00'), to: at('05T01:00:00.001') },
    ])
  })

  it('returns records alone where the period contains no whole hour', () => {
    const [from, to] = [at('01T22:30:00'), at('01T23:29:59')]
    expect(usagePieces(from, to)).toEqual([{ from, to }])
  })

  it('returns one piece for a whole day or hour', () => {
    const [from, to] = [at('02T00:00:00'), at('03T00:00:00')]
    expect(usagePieces(from, to)).toEqual([{ from, to, span: DAY }])
    expect(usagePieces(from, from + HOUR)).toEqual([{ from, to: from + HOUR, span: HOUR }])
  })

  it('returns no pieces for an empty period', () => {
    expect(usagePieces(at('02T00:00:00'), at('02T00:00:00'))).toEqual([])
  })

  it('covers the period without gaps and overlaps', () => {
    for (let index = 0; index < 500; index += 1) {
      const from = at('01T00:00:00') + ((index * 7_919_333) % (5 * DAY))
      const to = from + ((index * 104_729_111) % (6 * DAY))
      const pieces = usagePieces(from, to)
      let end = from
      for (const piece of pieces) {
        expect(piece.from).toBe(end)
        expect(piece.to).toBeGreaterThan(piece.from)
        if (piece.span !== undefined) expect([piece.from % piece.span, piece.to % piece.span]).toEqual([0, 0])
        end = piece.to
      }
      expect(end).toBe(to)
    }
  })
})
