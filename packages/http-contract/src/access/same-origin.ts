import type { SocketExchange } from '../socket.ts'

/**
 * Whether an upgrade comes from a page of the server's own origin, or from a program that is not a browser, which sends no
 * origin. A browser adds stored credentials to the upgrades of any page.
 */
export function isSameOrigin({ headers: { origin, host }, mount }: Pick<SocketExchange, 'headers' | 'mount'>): boolean {
  if (origin === undefined) return true
  if (typeof origin !== 'string' || typeof host !== 'string' || !URL.canParse(origin)) return false
  const page = new URL(origin)
  // Some proxies replace the name of the request by that of the server.
  return page.host === host || page.origin === mount.origin
}
