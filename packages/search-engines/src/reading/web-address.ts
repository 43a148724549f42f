/** The most characters of an address. */
const MAX_LENGTH = 4096

/**
 * Resolves an http(s) URL, which can be relative to `base`. `undefined` for anything else, such as a URL with a script.
 */
export function webAddress(value: unknown, base?: string): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > MAX_LENGTH || !URL.canParse(value, base))
    return undefined
  const url = new URL(value, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}

/** Returns the host of a page as its publisher, for engines that do not name one. */
export const hostOf = (address: string): string => new URL(address).hostname.replace(/^www\./, '')
