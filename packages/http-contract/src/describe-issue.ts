import type { BaseIssue } from 'valibot'
import { shortened } from './shortened.ts'

const LONGEST_RECEIVED = 100

type Issue = BaseIssue<unknown>

/**
 * Words a validation issue, as `expected a string, but got the number 1`: one clause without a full stop, of at most
 * 301 characters. A received string is repeated up to 100 characters, an array or object not at all. A message that the
 * schema itself gives is returned unchanged.
 */
export function describeIssue(issue: Issue): string {
  const label = labelOf(issue)
  if (label === undefined) return shortened(issue.message)
  return shortened(`${requirement(issue, label)}, but got ${received(issue, label)}`)
}

/** Words only what an issue's schema allows, as `expected a string`. Otherwise the same as `describeIssue`. */
export function describeRequirement(issue: Issue): string {
  const label = labelOf(issue)
  return shortened(label === undefined ? issue.message : requirement(issue, label))
}

/** What valibot's own message names, as `type` or `length`; `undefined` for a message of the schema. */
const labelOf = ({ message }: Issue): string | undefined =>
  /^Invalid ([^:]+): (?:Expected|Received) /.exec(message)?.[1]

function requirement({ kind, type, expected, input }: Issue, label: string): string {
  if (expected === null) return `expected a valid ${label}`
  if (label === 'key' && expected !== 'never') return 'expected a value' // `expected` is the name of the field.
  if (kind === 'schema') return `expected ${alternatives(expected)}`
  if (type === 'regex') return `expected a text that matches ${expected}`
  const [, comparison = '', bound = ''] = /^(>=|<=|[<>!%])?(.*)$/s.exec(expected) ?? []
  const unit = unitOf(label, input)?.[bound === '1' ? 'one' : 'many']
  return ['expected', comparisons[comparison], bound, unit].filter(Boolean).join(' ')
}

const comparisons: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
  '!': 'anything other than',
  '%': 'a multiple of',
}

/** What a size is counted in; `undefined` for what is not a size. */
function unitOf(label: string, input: unknown): Unit | undefined {
  if (label === 'length') return typeof input === 'string' ? characters : items
  return label === 'entries' ? entries : undefined
}

interface Unit {
  readonly one: string
  readonly many: string
}

const characters: Unit = { one: 'character', many: 'characters' }
const items: Unit = { one: 'item', many: 'items' }
const entries: Unit = { one: 'entry', many: 'entries' }

/** `(string | Array)` as `a string or an array`. */
function alternatives(expected: string): string {
  if (expected.includes(' & ')) return expected
  const names = (expected.match(/"[^"]*"|[^\s()|"]+/g) ?? [expected]).map((name) => types[name] ?? name)
  return names.length === 1 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  bigint: 'a bigint',
  boolean: 'a boolean',
  Array: 'an array',
  Object: 'an object',
  Date: 'a date',
  undefined: 'nothing',
  never: 'nothing',
}

function received({ kind, input, received: shown }: Issue, label: string): string {
  if (kind === 'validation' && unitOf(label, input) !== undefined) return shown
  if (typeof input === 'string') return `"${shortened(input, LONGEST_RECEIVED)}"`
  if (typeof input === 'number' && kind === 'schema') return `the number ${input}`
  if (input === undefined) return 'nothing'
  if (Array.isArray(input)) return 'an array'
  // The constructor's name would differ for objects without a prototype.
  if (shown === 'Object' || (shown === 'null' && input !== null)) return 'an object'
  return shortened(shown, LONGEST_RECEIVED)
}
