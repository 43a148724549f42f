import { type BaseIssue, type GenericSchema, getDotPath, safeParse } from 'valibot'
import type { InputIssue } from './failures.ts'

/** Collects what is wrong with the parts of one request. */
export class CheckedInput {
  issues: [InputIssue, ...InputIssue[]] | undefined

  check(part: InputIssue['part'], schema: GenericSchema | undefined, value: unknown): unknown {
    if (!schema) return undefined
    const result = safeParse(schema, value)
    if (result.success) return result.output
    for (const issue of result.issues) this.#refuse(part, issue)
    return undefined
  }

  #refuse(part: InputIssue['part'], issue: BaseIssue<unknown>): void {
    const found: InputIssue = { part, path: getDotPath(issue) ?? '', issue }
    if (this.issues) this.issues.push(found)
    else this.issues = [found]
  }
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
