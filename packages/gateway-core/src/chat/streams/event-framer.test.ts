import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventFramer } from './event-framer.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Returns the events of a text that arrives in these pieces, and the incomplete rest. */
function frame(pieces: readonly Uint8Array[]) {
  const framer = new EventFramer()
  const events: string[] = []
  for (const piece of pieces) {
    const block = framer.push(piece)
    let start = 0
    for (const end of block?.ends ?? []) {
      events.push(decoder.decode(block?.bytes.subarray(start, end)))
      start = end
    }
    expect(start).toBe(block?.bytes.length ?? 0)
  }
  return { events, rest: decoder.decode(framer.rest()) }
}

function cut(bytes: Uint8Array, places: readonly number[]) {
  const sorted = [0, ...[...places].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
const lines = fc.array(fc.string({ unit: fc.constantFrom('a', '{', '"', 'é', '🔑', ' ', ':'), minLength: 1 }), {
  minLength: 1,
  maxLength: 3,
})
const eventWith = (end: string) => lines.map((texts) => `${texts.map((text) => `data: ${text}${end}`).join('')}${end}`)

it('returns the same events for any split of the bytes', () => {
  const streams = lineEnd.chain((end) => fc.array(eventWith(end), { maxLength: 6 }))
  fc.assert(
    fc.property(streams, fc.string(), fc.array(fc.nat(500)), (events, tail, places) => {
      const end = tail.replace(/[\r\n]/g, '')
      const bytes = encoder.encode(events.join('') + end)
      const framed = frame(cut(bytes, places))
      expect(framed.events.join('') + framed.rest).toBe(events.join('') + end)
      const whole = frame([bytes])
      expect(framed.events.filter(hasData).map(trimmed)).toEqual(whole.events.filter(hasData).map(trimmed))
      expect(whole.events.filter(hasData)).toHaveLength(events.length)
    }),
    { numRuns: 500 },
  )
})

it('keeps every byte where line ends are mixed', () => {
  const event = lineEnd.chain(eventWith)
  fc.assert(
    fc.property(fc.array(event, { maxLength: 6 }), fc.array(fc.nat(500)), (events, places) => {
      const framed = frame(cut(encoder.encode(events.join('')), places))
      expect(framed.events.join('') + framed.rest).toBe(events.join(''))
    }),
    { numRuns: 500 },
  )
})

it('adds the LF of the last CR LF to its event, also where it arrives alone', () => {
  const pieces = ['data: a\r\n\r\n', 'data: b\r\n\r', '\n'].map((text) => encoder.encode(text))
  expect(frame(pieces)).toEqual({ events: ['data: a\r\n\r\n', 'data: b\r\n\r\n'], rest: '' })
})

const hasData = (text: string) => text.includes('data:')

/** Where a CR LF is split, the LF belongs to the next event. */
const trimmed = (text: string) => text.replace(/^[\r\n]+|[\r\n]+$/g, '')

it('returns several events of one chunk together and holds back the rest', () => {
  const framer = new EventFramer()
  const block = framer.push(encoder.encode('data: a\n\n: note\n\ndata: b\r\n\r\ndata: c'))
  expect(block?.ends).toEqual([9, 17, 28])
  expect(framer.held).toBe(7)
})

it('returns a chunk of whole events without copying it', () => {
  const chunk = encoder.encode('data: a\n\n')
  expect(new EventFramer().push(chunk)?.bytes).toBe(chunk)
})
