const MOST_DECIMALS = 9
const SCALE = 10n ** 30n

/**
 * Multiplies a decimal, such as `2.5e-06`, exactly. `undefined`: it is not an amount, or the file cannot hold it.
 *
 * @returns a decimal without an exponent, with at most 9 decimals
 */
export function multiplied(amount: unknown, factor: bigint): string | undefined {
  const parts = /^\+?(\d{1,20})?(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(String(amount).trim())
  if (!parts) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = parts
  if (whole === '' && fraction === '') return undefined
  const shift = 30 - fraction.length + Number(exponent)
  const digits = BigInt(`${whole}${fraction}`)
  if (shift < 0 && digits % 10n ** BigInt(-shift) !== 0n) return undefined
  const scaled = (shift < 0 ? digits / 10n ** BigInt(-shift) : digits * 10n ** BigInt(shift)) * factor
  const rest = (scaled % SCALE).toString().padStart(30, '0').replace(/0+$/, '')
  if (rest.length > MOST_DECIMALS || scaled / SCALE >= 9_000_000n) return undefined
  return rest === '' ? `${scaled / SCALE}` : `${scaled / SCALE}.${rest}`
}
