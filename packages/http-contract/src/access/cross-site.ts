import type { RequestHeaders } from '../exchange.ts'

/**
 * Whether a page of another origin sends this, with an effect or to read the answer. A browser adds HTTP Basic
 * credentials to such a request by itself. Programs that are no browsers send no origin.
 */
export function isCrossSite({ host, origin, 'sec-fetch-site': site }: RequestHeaders): boolean {
  if (origin === undefined) return false
  // Nothing between rewrites what the browser itself says, as a proxy does with the host.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return typeof origin !== 'string' || typeof host !== 'string' || URL.parse(origin)?.host !== hostOf(origin, host)
}

/** Without the port that the origin's scheme has by default, as origins are written. */
const hostOf = (origin: string, host: string): string | undefined =>
  URL.parse(`${origin.slice(0, origin.indexOf(':'))}://${host}`)?.host
