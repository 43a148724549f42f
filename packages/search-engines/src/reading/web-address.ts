/** The longest address that is taken. */
const MAX_LENGTH = 4096

/** An http(s) address, made whole where it is relative to `base`; `undefined` for anything that a browser might run. */
export function webAddress(value: unknown, base?: string): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > MAX_LENGTH || !URL.canParse(value, base))
    return undefined
  const url = new URL(value, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}

/** Who publishes a page, for engines that do not say. */
export const hostOf = (address: string): string => new URL(address).hostname.replace(/^www\./, '')
