import type { IncomingMessage } from 'node:http'
import type { RequestHeaders } from '../exchange.ts'

/**
 * Returns a request's headers, with names in lower case. Several `authorization` or `host` headers are an array here,
 * because checks of credentials and names need all of them. Node keeps only the first.
 */
export function headersOf({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): RequestHeaders {
  let counts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const length = rawHeaders[index]?.length
    if (length === HOST.length || length === AUTHORIZATION.length) counts += 1
  }
  // Fewer than two names of these lengths cannot have one twice.
  if (counts < 2) return headers
  const authorization = headers.authorization === undefined ? undefined : repeated(rawHeaders, AUTHORIZATION)
  const host = repeated(rawHeaders, HOST)
  return authorization || host
    ? { ...headers, ...(authorization && { authorization }), ...(host && { host }) }
    : headers
}

const HOST = 'host'
const AUTHORIZATION = 'authorization'

/** The values of a header that occurs more than once; `undefined` if it does not. */
function repeated(rawHeaders: readonly string[], wanted: string): readonly string[] | undefined {
  let values: string[] | undefined
  let first: string | undefined
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue
    const value = rawHeaders[index + 1] ?? ''
    if (values) values.push(value)
    else if (first !== undefined) values = [first, value]
    else first = value
  }
  return values
}
