/** What goes through a value by recursion, as `JSON.stringify` does, bears some thousands of levels. */
const MOST_LEVELS = 256

export const TOO_DEEP = `must be nested at most ${MOST_LEVELS} levels deep`

/** Whether going through what a client has sent could end in a `RangeError`. */
export const isTooDeep = (value: unknown): boolean => isDeeperThan(MOST_LEVELS, value)

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return members.some((member) => isDeeperThan(levels - 1, member))
}
