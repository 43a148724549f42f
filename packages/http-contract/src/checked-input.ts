import { type BaseIssue, type GenericSchema, getDotPath, safeParse } from 'valibot'
import type { InputIssue } from './failures.ts'

/** Longer texts of a request are cut where an error repeats them. */
const LONGEST_TEXT = 300

/** Checks the parts of one request, and keeps the first thing that is wrong with them. */
export class CheckedInput {
  issue: InputIssue | undefined

  /** Returns what the schema made of the value; `undefined` once something is wrong, in this part or an earlier one. */
  check(part: InputIssue['part'], schema: GenericSchema | undefined, value: unknown): unknown {
    if (!schema || this.issue) return undefined
    // Collecting all issues takes time that is quadratic in their number.
    const result = safeParse(schema, value, { abortEarly: true })
    if (result.success) return result.output
    const [issue] = result.issues
    this.issue = { part, path: shortened(getDotPath(issue) ?? ''), issue: withShortTexts(issue) }
    return undefined
  }
}

/** A message repeats what was received, which may be as long as a request. */
function withShortTexts(issue: BaseIssue<unknown>): BaseIssue<unknown> {
  const { message, received } = issue
  if (message.length <= LONGEST_TEXT && received.length <= LONGEST_TEXT) return issue
  return { ...issue, message: shortened(message), received: shortened(received) }
}

const shortened = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}…`

/** A name that occurs twice has an array. */
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
