import type { IncomingMessage } from 'node:http'
import { isForeign } from '@trivium/http-contract'
import { headersOf } from '@trivium/http-contract/node'

/**
 * Returns a check as {@link isForeign} for the requests of one server. It keeps the last host that it has accepted, because
 * almost all requests have the same one and its parsing takes microseconds.
 */
export function foreignRequests(): (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => boolean {
  let accepted: string | undefined
  return (request) => {
    const headers = headersOf(request)
    const { host, origin } = headers
    const isPlain = typeof host === 'string' && origin === undefined
    if (isPlain && host === accepted) return false
    if (isForeign(headers)) return true
    if (isPlain) accepted = host
    return false
  }
}
