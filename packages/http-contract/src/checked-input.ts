import { type BaseIssue, custom, type GenericSchema, getDotPath, safeParse } from 'valibot'
import type { InputIssue } from './failures.ts'
import { shortened } from './shortened.ts'

/** Checks the parts of one request, and keeps the first issue. */
export class CheckedInput {
  issue: InputIssue | undefined

  /** Returns the schema's output; `undefined` if this part or an earlier one has an issue. */
  check(part: InputIssue['part'], schema: GenericSchema | undefined, value: unknown): unknown {
    if (!schema || this.issue) return undefined
    // Collecting all issues takes quadratic time in their number.
    const result = safeParse(schema, value, { abortEarly: true })
    if (result.success) return isAcceptedList(schema, value) ? this.check(part, notAList, value) : result.output
    const [issue] = result.issues
    this.issue = { part, path: shortened(getDotPath(issue) ?? ''), issue: withShortTexts(issue) }
    return undefined
  }
}

/** Schemas of objects accept lists too, and drop their items. */
const objectTypes: ReadonlySet<string> = new Set(['object', 'strict_object', 'loose_object', 'object_with_rest'])

const isAcceptedList = (schema: GenericSchema, value: unknown): boolean =>
  Array.isArray(value) && objectTypes.has(schema.type)

const notAList = custom(() => false, 'must be an object')

/** Checks one part of a request beyond its operation's schema. @returns the first issue, cut like those of `Failures` */
export function issueOf(part: InputIssue['part'], schema: GenericSchema, value: unknown): InputIssue | undefined {
  const input = new CheckedInput()
  input.check(part, schema, value)
  return input.issue
}

/** The message repeats the received value, which can be as long as the request. So do those of a union's members. */
function withShortTexts(issue: BaseIssue<unknown>): BaseIssue<unknown> {
  const { message, received, issues } = issue
  const short = { ...issue, message: shortened(message), received: shortened(received) }
  if (!issues) return short
  const [first, ...others] = issues
  return { ...short, issues: [withShortTexts(first), ...others.map(withShortTexts)] }
}

/** Parses a query string. A name that occurs more than once has an array of its values. */
export function parseQuery(query: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = Object.create(null)
  if (query === '') return values
  for (const [name, value] of new URLSearchParams(query)) {
    const before = values[name]
    if (before === undefined) values[name] = value
    else if (typeof before === 'string') values[name] = [before, value]
    else before.push(value)
  }
  return values
}
