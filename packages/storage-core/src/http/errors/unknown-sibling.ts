import { type InputIssue, isObject } from '@trivium/http-contract'
import type { GenericSchema } from 'valibot'

/**
 * Returns the issue of the first unknown field next to a missing field. It may be the misspelt name of the missing
 * field, and is then the better report.
 */
export function unknownSibling({ part, path, issue }: InputIssue, body?: GenericSchema): InputIssue | undefined {
  const place = issue.path
  const parent = place?.at(-1)?.input
  if (part !== 'body' || issue.received !== 'undefined' || !place || !isObject(parent)) return undefined
  const schema = place.slice(0, -1).reduce<unknown>((outer, { key }) => entriesOf(outer)?.[String(key)], body)
  const known = entriesOf(schema)
  const unknown = known && Object.keys(parent).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return undefined
  const before = path.slice(0, path.lastIndexOf('.') + 1)
  return { part, path: `${before}${unknown}`, issue: { ...issue, expected: 'never' } }
}

/** The fields of an object schema, optional or not. */
function entriesOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(schema)) return undefined
  return isObject(schema.entries) ? schema.entries : entriesOf(schema.wrapped)
}
