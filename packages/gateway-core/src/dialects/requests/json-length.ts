import { isObject } from '../../chat/is-object.ts'

/**
 * Returns about how many characters the JSON of a value has, without writing it: exactly as many, except that a character
 * that is escaped counts once. Values are those of JSON, whose depth has been checked.
 */
export function jsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (Array.isArray(value)) {
    let length = 1
    for (const one of value) length += 1 + jsonLength(one)
    return Math.max(2, length)
  }
  if (!isObject(value)) return value === undefined ? 0 : String(value).length
  let length = 1
  for (const name in value) {
    const member = value[name]
    if (member !== undefined) length += name.length + 4 + jsonLength(member)
  }
  return Math.max(2, length)
}
