import { isObject } from '@trivium/http-contract'
import { err, ok, type Result } from 'neverthrow'

/** Why a body is refused before its schema is checked. */
export type ExpandError =
  /** A field is given twice, for example dotted and nested. */
  | { readonly type: 'repeated-field'; readonly field: string }
  | { readonly type: 'nested-too-deeply' }
  /** A text with a NUL or an unpaired surrogate, which not every store can keep. */
  | { readonly type: 'invalid-text'; readonly field: string }

type JsonObject = { [name: string]: unknown }

const MAXIMUM_DEPTH = 12

/**
 * Expands dotted names: `{"svm.name": "s"}` becomes `{"svm": {"name": "s"}}`. A column of an array of objects becomes
 * its rows: `{"users.name": ["a", "b"]}` becomes `{"users": [{"name": "a"}, {"name": "b"}]}`. At most 12 levels.
 */
export function expandBody(body: unknown, arrayFields: ReadonlySet<string>): Result<unknown, ExpandError> {
  return isObject(body) ? expandObject(body, arrayFields, []) : ok(body)
}

function expandObject(
  source: JsonObject,
  arrayFields: ReadonlySet<string>,
  place: readonly string[],
): Result<JsonObject, ExpandError> {
  if (place.length > MAXIMUM_DEPTH) return err({ type: 'nested-too-deeply' })
  const target: JsonObject = Object.create(null)
  for (const [name, value] of Object.entries(source)) {
    const path = name.split('.')
    if (path.length > MAXIMUM_DEPTH) return err({ type: 'nested-too-deeply' })
    const expanded = expandValue(value, arrayFields, [...place, name])
    if (expanded.isErr()) return err(expanded.error)
    if (!setField(target, path, expanded.value, arrayFields)) return err({ type: 'repeated-field', field: name })
  }
  return ok(target)
}

function expandValue(
  value: unknown,
  arrayFields: ReadonlySet<string>,
  place: readonly string[],
): Result<unknown, ExpandError> {
  if (place.length > MAXIMUM_DEPTH) return err({ type: 'nested-too-deeply' })
  if (typeof value === 'string' && !isStorable(value)) return err({ type: 'invalid-text', field: place.join('.') })
  if (isObject(value)) return expandObject(value, arrayFields, place)
  if (!Array.isArray(value)) return ok(value)
  const items: unknown[] = []
  for (const [index, item] of value.entries()) {
    const expanded = expandValue(item, arrayFields, [...place, String(index)])
    if (expanded.isErr()) return err(expanded.error)
    items.push(expanded.value)
  }
  return ok(items)
}

/** Sets a value. @returns `false` when the field already has one */
function setField(
  target: JsonObject,
  path: readonly string[],
  value: unknown,
  arrayFields: ReadonlySet<string>,
): boolean {
  const [name = '', ...rest] = path
  const existing = target[name]
  if (rest.length === 0) {
    if (existing === undefined) {
      target[name] = value
      return true
    }
    return isObject(existing) && isObject(value) && merge(existing, value, arrayFields)
  }
  if (arrayFields.has(name)) {
    if (existing !== undefined && !Array.isArray(existing)) return false
    const rows: unknown[] = existing ?? []
    target[name] = rows
    return spreadColumn(rows, rest, Array.isArray(value) ? value : [value], arrayFields)
  }
  if (existing !== undefined && !isObject(existing)) return false
  const inner: JsonObject = existing ?? Object.create(null)
  target[name] = inner
  return setField(inner, rest, value, arrayFields)
}

const merge = (target: JsonObject, source: JsonObject, arrayFields: ReadonlySet<string>): boolean =>
  Object.entries(source).every(([name, value]) => setField(target, [name], value, arrayFields))

function spreadColumn(
  rows: unknown[],
  path: readonly string[],
  column: readonly unknown[],
  arrayFields: ReadonlySet<string>,
): boolean {
  return column.every((value, index) => {
    const row = rows[index] ?? Object.create(null)
    rows[index] = row
    return isObject(row) && setField(row, path, value, arrayFields)
  })
}

/** Whether every store keeps the text unchanged. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
