/** An integer column as a number where that is exact, else as a bigint: nothing is ever rounded. */
export function exactInteger(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}
