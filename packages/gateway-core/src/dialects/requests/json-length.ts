/**
 * Returns about how many characters the JSON of a value has, without writing it: exactly as many, except that a character
 * that is escaped counts once. Values are those of JSON, whose depth has been checked.
 */
export function jsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : String(value).length
  let length = 1
  if (Array.isArray(value)) {
    for (const one of value) length += 1 + jsonLength(one)
  } else {
    for (const [name, member] of Object.entries(value)) {
      if (member !== undefined) length += name.length + 4 + jsonLength(member)
    }
  }
  return Math.max(2, length)
}
