/** More than any answer costs, and few enough that a database can add up a year of them. */
const MOST_TOKENS = 1_000_000_000

/** Whether an upstream's count can be one: what it tells is added to what others told, for good. */
export const isTokenCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS
