/** Converts an integer column to a number where that is exact, else to a bigint. Never rounds. */
export function exactInteger(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}
