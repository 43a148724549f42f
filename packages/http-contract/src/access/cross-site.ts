import type { RequestHeaders } from '../exchange.ts'

/**
 * Whether a page of another origin sends this, or leads to it. A browser adds HTTP Basic credentials to such a request by
 * itself. Programs that are not browsers send no origin. Without one, browsers say where a request comes from over TLS
 * and on loopback alone.
 */
export function isCrossSite({ host, origin, 'sec-fetch-site': site }: RequestHeaders): boolean {
  // Nothing between rewrites what the browser itself says, as a proxy does with the host.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return typeof origin !== 'string' || typeof host !== 'string' || URL.parse(origin)?.host !== hostOf(origin, host)
}

/** Without the port that the origin's scheme has by default, as origins are written. */
const hostOf = (origin: string, host: string): string | undefined =>
  URL.parse(`${origin.slice(0, origin.indexOf(':'))}://${host}`)?.host
