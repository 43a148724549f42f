import type { RequestHeaders } from '../exchange.ts'

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/**
 * Whether a server on this address or name can only be reached from its own machine: `localhost`, `127.0.0.0/8` or
 * `::1`, also in brackets. Neither a port nor another name is accepted.
 */
export const isLoopback = (host: string): boolean => LOOPBACK_NAME.test(host)

/**
 * Whether a request to a loopback server has a host or an origin that is not loopback. It comes from a page of another
 * site, or from one whose name resolves to 127.0.0.1 (DNS rebinding). Names below `.localhost` are loopback. A
 * request with neither header is not foreign.
 */
export function isForeign({ host, origin }: RequestHeaders): boolean {
  if (host !== undefined && !isLoopbackOrigin(`http://${host}`)) return true
  return origin !== undefined && !isLoopbackOrigin(origin)
}

/** The origins of the last requests: nearly all have the same few. */
const known = new Map<string, boolean>()
const MAX_KNOWN = 100
const MAX_KNOWN_LENGTH = 256

function isLoopbackOrigin(text: string | readonly string[]): boolean {
  if (typeof text !== 'string') return false
  const found = known.get(text)
  if (found !== undefined) return found
  const decided = decide(text)
  if (text.length > MAX_KNOWN_LENGTH) return decided
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(text, decided)
  return decided
}

function decide(origin: string): boolean {
  const url = URL.parse(origin)
  if (url === null || url.username !== '' || url.pathname !== '/') return false
  return isLoopback(url.hostname) || url.hostname.endsWith('.localhost')
}
