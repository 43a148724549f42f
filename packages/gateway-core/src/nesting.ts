/** Recursion over a value, as in `JSON.stringify`, overflows the stack at some thousands of levels. */
const MAX_LEVELS = 256

export const TOO_DEEP = `must be nested at most ${MAX_LEVELS} levels deep`

/** Returns whether a client's value is nested more than 256 levels deep, which is too deep for recursion over it. */
export const isTooDeep = (value: unknown): boolean => isDeeperThan(MAX_LEVELS, value)

/** Returns whether the value of a JSON text is too deep. A short text cannot have so many brackets. */
export const isDeepJson = (text: string, value: unknown): boolean => text.length > 2 * MAX_LEVELS && isTooDeep(value)

function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isNested(value)) return false
  if (levels === 0) return true
  // Without a list of members, a callback or a call for each text: every request and answer is checked.
  if (Array.isArray(value)) {
    for (const member of value) if (isNested(member) && isDeeperThan(levels - 1, member)) return true
    return false
  }
  for (const key in value) {
    const member = value[key]
    if (isNested(member) && isDeeperThan(levels - 1, member)) return true
  }
  return false
}

const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
