import { isObject } from '@trivium/http-contract'
import fc from 'fast-check'
import { fromUtf8 } from '../fuzz-request.ts'
import { hostileLiterals, hostileText, hostileValue } from './hostile-values.ts'

/** Makes a changed body of a JSON value. One character of the result is one byte. */
export type BodyMutation = (value: unknown) => string

/** Marks the place of a literal that `JSON.stringify` cannot write. */
const MARK = '@@literal@@'

const text = (value: unknown): string => fromUtf8(JSON.stringify(value) ?? '')

export const bodyMutation: fc.Arbitrary<BodyMutation> = fc.oneof(
  { arbitrary: fc.tuple(fc.nat(), hostileValue).map(([at, value]) => replacing(at, value)), weight: 6 },
  {
    arbitrary: fc.tuple(fc.nat(), fc.constantFrom(...hostileLiterals)).map(([at, literal]) => spelling(at, literal)),
    weight: 3,
  },
  {
    arbitrary: fc.nat().map(
      (at): BodyMutation =>
        (value) =>
          text(changed(value, at, () => undefined)),
    ),
    weight: 2,
  },
  {
    arbitrary: fc.tuple(fc.nat(), hostileText, hostileValue).map(([at, name, value]) => adding(at, name, value)),
    weight: 3,
  },
  fc.tuple(fc.nat(), hostileText, hostileValue).map(([at, name, value]) => repeating(at, name, value)),
  fc.double({ min: 0, max: 1, noNaN: true }).map(
    (share): BodyMutation =>
      (value) =>
        cut(text(value), share),
  ),
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ minLength: 1, maxLength: 4 })).map(
    ([share, bytes]): BodyMutation =>
      (value) =>
        inserted(text(value), share, Buffer.from(bytes).toString('latin1')),
  ),
  fc.constantFrom<BodyMutation>(
    () => '',
    () => ' \n',
    (value) => `\xef\xbb\xbf${text(value)}`,
    (value) => `${text(value)}${text(value)}`,
    (value) => `${text(value)}]`,
    (value) => text([value]),
    (value) => text(JSON.stringify(value)),
    (value) => Buffer.from(JSON.stringify(value) ?? '', 'utf16le').toString('latin1'),
    (value) => text(value).replaceAll(',', ' \t\r\n,\n '),
    () => 'a=1&b=2',
    () => '<a/>',
  ),
  hostileValue.map(
    (value): BodyMutation =>
      () =>
        text(value),
  ),
)

const replacing =
  (at: number, by: unknown): BodyMutation =>
  (value) =>
    text(changed(value, at, () => by))

const spelling =
  (at: number, literal: string): BodyMutation =>
  (value) =>
    text(changed(value, at, () => MARK)).replace(JSON.stringify(MARK), () => fromUtf8(literal))

const adding =
  (at: number, name: string, more: unknown): BodyMutation =>
  (value) =>
    // Adds an own member with any name, also `__proto__`.
    text(
      changed(value, at, (old) => (isObject(old) ? Object.fromEntries([...Object.entries(old), [name, more]]) : old)),
    )

/** Writes a member a second time, before the first one. */
const repeating =
  (at: number, name: string, first: unknown): BodyMutation =>
  (value) => {
    const whole = text(value)
    const names = [...whole.matchAll(/[{,]("(?:[^"\\]|\\.)*"):/g)]
    const found = names[at % Math.max(names.length, 1)]
    if (!found) return whole.replace('{', () => `{${text(name)}:${text(first)},${text(name)}:${text(first)},`)
    const [match, written] = found
    return `${whole.slice(0, found.index + 1)}${written}:${text(first)},${whole.slice(found.index + 1, found.index + match.length)}${whole.slice(found.index + match.length)}`
  }

const cut = (whole: string, share: number): string => whole.slice(0, Math.floor(whole.length * share))

const inserted = (whole: string, share: number, bytes: string): string => {
  const at = Math.floor(whole.length * share)
  return whole.slice(0, at) + bytes + whole.slice(at)
}

/** Counts the values in a value, with itself. */
function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, one) => sum + count(one), 1)
}

/** Replaces one of the values in a value, counted depth-first from the value itself. */
function changed(value: unknown, at: number, change: (old: unknown) => unknown): unknown {
  let left = at % count(value)
  const walk = (one: unknown): unknown => {
    if (left === 0) {
      left -= 1
      return change(one)
    }
    left -= 1
    if (Array.isArray(one)) return one.map(walk)
    if (!isObject(one)) return one
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, walk(inner)]))
  }
  return walk(value)
}
