import * as v from 'valibot'
import { knownKeysOf, unknownKey } from '../schema/section.ts'
import type { Mistake, Path } from './mistakes.ts'

/** A checked part of the file, or all of its mistakes. */
export type Checked<Output> = { readonly output: Output } | { readonly mistakes: readonly Mistake[] }

/** Checks a value of the file. @param path where it is */
export function checkValue<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  path: Path,
): Checked<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, value)
  if (result.success) return { output: result.output }
  return { mistakes: unique(result.issues.flatMap((issue) => mistakesIn(issue, path))) }
}

/** Both branches of a choice report the same. */
const unique = (mistakes: readonly Mistake[]): readonly Mistake[] => [
  ...new Map(mistakes.map((mistake) => [JSON.stringify([mistake.path, mistake.message]), mistake])).values(),
]

function mistakesIn(issue: v.BaseIssue<unknown>, before: Path): readonly Mistake[] {
  const path: Path = [...before, ...(issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))]
  const isObject = typeof issue.input === 'object' && issue.input !== null && !Array.isArray(issue.input)
  if (issue.type === 'union' && issue.issues && isObject) {
    // What an object may be is meant, not the text that stands for it.
    const inner = issue.issues.filter((one) => one.path !== undefined)
    if (inner.length > 0) return inner.flatMap((one) => mistakesIn(one, path))
  }
  const known = knownKeysOf(issue)
  if (known) return unknownKeysIn(issue.path?.at(-1)?.input, known, path.slice(0, -1))
  const { message } = issue
  const isKey = issue.path?.at(-1)?.origin === 'key'
  const isOfText = (issue.type === 'number' || issue.type === 'boolean') && typeof issue.input === 'string'
  return [{ path, message, ...(isKey && { at: 'key' as const }), ...(isOfText && { isOfText }) }]
}

/** An object reports only the first key that it does not know. */
function unknownKeysIn(object: unknown, known: readonly string[], path: Path): readonly Mistake[] {
  if (typeof object !== 'object' || object === null) return []
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => ({ path: [...path, key], at: 'key', ...unknownKey(key, known) }))
}
