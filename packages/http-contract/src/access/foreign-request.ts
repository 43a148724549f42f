import type { RequestHeaders } from '../exchange.ts'

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/** Whether a server that listens on this address or name is reached from its own machine only. */
export const isLoopback = (host: string): boolean => LOOPBACK_NAME.test(host)

/**
 * Whether a request to a loopback server came by a foreign name: from a page whose own name was pointed at 127.0.0.1
 * (DNS rebinding), or from a page of another site.
 */
export function isForeign({ host, origin }: RequestHeaders): boolean {
  if (host !== undefined && !isLoopbackOrigin(`http://${host}`)) return true
  return origin !== undefined && !isLoopbackOrigin(origin)
}

function isLoopbackOrigin(text: string | readonly string[]): boolean {
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.pathname !== '/') return false
  return isLoopback(url.hostname) || url.hostname.endsWith('.localhost')
}
