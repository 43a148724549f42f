import { isObject } from '../../src/chat/is-object.ts'

/** Removes what depends on the dialect of the request: places in it, and its names of fields. */
export function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      name === 'at' || name === 'names' || name === 'dialect' ? [] : [[name, withoutPlaces(member)]],
    ),
  )
}
