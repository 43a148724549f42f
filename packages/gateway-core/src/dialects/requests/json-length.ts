/**
 * Returns about how many characters the JSON of a value has, without writing it: exactly as many, except that a character
 * that is escaped counts once. Values are those of JSON, whose depth has been checked.
 */
export function jsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : String(value).length
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, one) => sum + 1 + jsonLength(one), value.length === 0 ? 2 : 1)
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members.reduce(
    (sum, [name, member]) => sum + name.length + 4 + jsonLength(member),
    members.length === 0 ? 2 : 1,
  )
}
