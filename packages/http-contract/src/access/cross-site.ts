import type { RequestHeaders } from '../exchange.ts'

/**
 * Whether a page of another origin caused a request, by a script or a link. A browser adds HTTP Basic credentials to
 * such a request without its user. Programs that are not browsers send no origin. A browser's request without an
 * origin, such as a link, is recognised only over TLS and on loopback, where browsers send `sec-fetch-site`.
 */
export function isCrossSite({ host, origin, 'sec-fetch-site': site }: RequestHeaders): boolean {
  // Proxies rewrite the host, but not this header.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return typeof origin !== 'string' || typeof host !== 'string' || URL.parse(origin)?.host !== hostOf(origin, host)
}

/** The host without the default port of the origin's scheme, as origins are written. */
const hostOf = (origin: string, host: string): string | undefined =>
  URL.parse(`${origin.slice(0, origin.indexOf(':'))}://${host}`)?.host
