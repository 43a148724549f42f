/** More than any answer uses, and few enough for a database to sum a year of them. */
const MAX_TOKENS = 1_000_000_000

/** Returns whether an upstream's token count is plausible. A wrong one would make sums wrong permanently. */
export const isTokenCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS
