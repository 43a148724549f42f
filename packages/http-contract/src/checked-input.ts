import { type BaseIssue, type GenericSchema, getDotPath, safeParse } from 'valibot'
import type { InputIssue } from './failures.ts'
import { shortened } from './shortened.ts'

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
  return { ...issue, message: shortened(message), received: shortened(received) }
}

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
