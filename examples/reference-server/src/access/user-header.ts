import type { IncomingMessage } from 'node:http'
import type { AccessRequest, UserCaller } from '@trivium/http-contract'
import { HOP_HEADER } from '../workers/hop.ts'

/** Headers that mean something else, which requests would lose. */
const reserved: ReadonlySet<string> = new Set([
  ...['authorization', 'cookie', 'origin', 'referer', 'host', 'connection', 'upgrade', 'expect', 'te', 'forwarded'],
  ...['transfer-encoding', 'x-api-key', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
  ...['x-forwarded-prefix', HOP_HEADER],
])

/** Whether a header can name the user of a request. @param name in lower case */
export const isUserHeader = (name: string): boolean =>
  /^[a-z0-9-]{1,64}$/.test(name) && !reserved.has(name) && !/^(accept|content|sec)-|^accept$/.test(name)

/** Takes the value from a header that any client can send, and its name. Node counts the raw ones, so they stay as many. */
export function removeHeader(request: IncomingMessage, name: string): void {
  const { rawHeaders } = request
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) rawHeaders.splice(index, 2, 'x-removed-header', '')
  }
  // Node has made these from the raw ones already.
  delete request.headers[name]
}

const MAX_LENGTH = 128
/** A repeated header is joined by commas: a proxy has then added its own to that of the client. */
const UNCLEAR = /[\p{Cc}\p{Cs},]/u

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns the rule that admits the user of a file system whom a trusted proxy names by a header, to the own quotas alone.
 * Requests of all others had the header removed.
 */
export const userOfHeader =
  (name: string) =>
  ({ headers }: Pick<AccessRequest, 'headers'>): UserCaller | 'default' => {
    const id = textOf(headers[name])
    if (id === undefined || id === '' || id.length > MAX_LENGTH || UNCLEAR.test(id)) return 'default'
    return { type: 'user', id, scopes: ['getSelfQuotas'], volumes: 'all' }
  }

/** Node and Fetch read the bytes of a header as Latin-1, and proxies send UTF-8. */
function textOf(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  try {
    return decoder.decode(Buffer.from(value, 'latin1'))
  } catch {
    return undefined
  }
}
