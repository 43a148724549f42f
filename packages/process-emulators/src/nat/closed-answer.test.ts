import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labFrame, ports } from '../../tests/lab-frames.ts'
import { labReach } from '../reach/lab-reach.ts'
import { withoutClosedAnswers } from './closed-answer.ts'

const reach = labReach(['internet'])

const name = (text: string) => [...text.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]), 0]
const question = [...name('host.example'), 0, 1, 0, 1]
const record = (type: number, data: readonly number[]) => [
  0xc0,
  12,
  0,
  type,
  0,
  1,
  0,
  0,
  0,
  60,
  0,
  data.length,
  ...data,
]
const message = (...records: readonly number[][]) => [
  ...[0x12, 0x34, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0],
  ...question,
  ...records.flat(),
]
const fromResolver = (data: readonly number[], more: { fragment?: number; from?: string; to?: string } = {}) =>
  labFrame({ from: '192.168.122.2', to: '192.168.122.15', payload: ports(53, 1024, data), ...more })

const [A, CNAME, AAAA] = [1, 5, 28]
const REFUSED = [0x12, 0x34, 0x81, 0x85, 0, 1, 0, 0, 0, 0, 0, 0, ...question]

describe('withoutClosedAnswers', () => {
  it.each([
    ['a service binding, which can hint at addresses', record(65, [0, 1, 0, 0, 4, 0, 4, 10, 0, 0, 5])],
    ['an address of another class', [0xc0, 12, 0, A, 0, 255, 0, 0, 0, 60, 0, 4, 10, 0, 0, 5]],
    ['an address whose class has the bit of a cache', [0xc0, 12, 0, A, 0x80, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 5]],
  ])('refuses an answer with %s', (_what, closed) => {
    const shown = withoutClosedAnswers(fromResolver(message(closed)), reach)
    expect([...(shown?.subarray(42) ?? [])]).toEqual(REFUSED)
  })

  it('passes answers with open addresses, and every other frame', () => {
    const alias = record(CNAME, name('other.example'))
    for (const frame of [
      fromResolver(message(record(A, [8, 8, 8, 8]), alias)),
      fromResolver(message()),
      fromResolver(message(record(A, [10, 0, 0, 1])), { from: '8.8.8.8' }),
      labFrame({ from: '192.168.122.2', to: '192.168.122.15', protocol: 1 }),
    ])
      expect(withoutClosedAnswers(frame, reach)).toBe(frame)
  })

  it.each([
    ['a private address', [record(A, [10, 0, 0, 1])]],
    ['one private address among public ones', [record(A, [8, 8, 8, 8]), record(A, [127, 0, 0, 1])]],
    ['a private IPv6 address', [record(AAAA, [0xfd, ...Array.from({ length: 15 }, () => 1)])]],
    ['an address of a wrong length', [record(A, [8, 8, 8])]],
  ])('replaces an answer with %s by a refusal of the question', (_what, records) => {
    const shown = withoutClosedAnswers(fromResolver(message(...records)), reach)
    expect([...(shown?.subarray(42) ?? [])]).toEqual(REFUSED)
    const v6 = fromResolver(message(...records), { from: 'fec0::3', to: 'fec0::9' })
    expect([...(withoutClosedAnswers(v6, reach)?.subarray(62) ?? [])]).toEqual(REFUSED)
  })

  it('drops fragments of the resolver', () => {
    expect(withoutClosedAnswers(fromResolver(message(), { fragment: 0x2000 }), reach)).toBeUndefined()
    expect(withoutClosedAnswers(fromResolver([1, 2, 3], { fragment: 185 }), reach)).toBeUndefined()
  })

  it('returns the frame, a refusal or nothing for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (noise) => {
        const frame = fromResolver([...noise])
        const shown = withoutClosedAnswers(frame, reach)
        if (shown !== undefined && shown !== frame) expect((shown[45] ?? 0) & 15).toBe(5)
      }),
    )
  })
})
