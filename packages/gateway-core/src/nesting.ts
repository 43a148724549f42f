/** Recursion over a value, as in `JSON.stringify`, overflows the stack at some thousands of levels. */
const MAX_LEVELS = 256

export const TOO_DEEP = `must be nested at most ${MAX_LEVELS} levels deep`

/** Returns whether a client's value is nested more than 256 levels deep, which is too deep for recursion over it. */
export const isTooDeep = (value: unknown): boolean => isDeeperThan(MAX_LEVELS, value)

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return members.some((member) => isDeeperThan(levels - 1, member))
}
