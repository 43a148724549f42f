import { err, ok, type Result } from 'neverthrow'
import { MAXIMUM_SIZE } from '../sizes/size.ts'
import type { Field, FieldValue } from './field-catalogue.ts'
import { parseSize } from './parse-size.ts'

/** A literal that a field cannot have. */
export interface InvalidValue {
  readonly type: 'invalid-value'
  readonly value: string
  /** A noun phrase, such as `an integer, or a size such as 16MB`. */
  readonly expected: string
}

/** The smallest and the largest value of a literal. */
export interface LiteralValue {
  readonly from: FieldValue
  /** Differs from `from` only for a date, which stands for its whole second, minute or day. */
  readonly to: FieldValue
}

export type FieldShape = Pick<Field<never>, 'type' | 'values' | 'array'>

export function parseValue(text: string, { type }: FieldShape): Result<LiteralValue, InvalidValue> {
  const invalid = (expected: string) => err({ type: 'invalid-value', value: text, expected } as const)
  const one = (value: FieldValue) => ok({ from: value, to: value })
  switch (type) {
    case 'integer': {
      const size = parseSize(text)
      if (size === 'too-large') return invalid(`at most ${MAXIMUM_SIZE}`)
      return size === 'invalid' ? invalid('an integer, or a size such as 16MB') : one(size)
    }
    case 'boolean': {
      const value = parseBoolean(text)
      return value === undefined ? invalid('true or false') : one(value)
    }
    case 'date': {
      const date = parseDate(text)
      return date ? ok(date) : invalid('a date and time such as 2026-01-31T12:00:00Z')
    }
    default:
      return text.includes('\0') ? invalid('text without control characters') : one(text)
  }
}

export function parseBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (word === 'true' || word === 'on') return true
  if (word === 'false' || word === 'off') return false
  return undefined
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+\- ]\d\d:?\d\d)?)?$/i

/** Parses a date, in UTC without an offset. A `+` that was not encoded in a URL is a space. */
function parseDate(text: string): { from: number; to: number } | undefined {
  const [, day, minutes, seconds, fraction, offset = 'Z'] = DATE.exec(text) ?? []
  if (day === undefined) return undefined
  const zone = offset
    .replace(/^ /, '+')
    .replace(/^(...)(\d\d)$/, '$1:$2')
    .toUpperCase()
  const milliseconds = (fraction ?? '.').slice(1, 4).padEnd(3, '0')
  const from = Date.parse(`${day}T${minutes ?? '00:00'}:${seconds ?? '00'}.${milliseconds}${zone}`)
  if (Number.isNaN(from)) return undefined
  const span = fraction ? 1 : seconds ? 1000 : minutes ? 60_000 : 86_400_000
  return { from, to: from + span - 1 }
}
