/** A number as programs print it: digits alone, and exact here. Anything else is `undefined`: a guess would be a wrong figure. */
export function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}
