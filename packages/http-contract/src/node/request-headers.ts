import type { IncomingMessage } from 'node:http'
import type { RequestHeaders } from '../exchange.ts'

/**
 * A request's headers. Of several `authorization` or `host` headers Node keeps the first and hides the others, which
 * whoever checks credentials or names has to know of: here they are an array.
 */
export function headersOf({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): RequestHeaders {
  const authorization = headers.authorization === undefined ? undefined : repeated(rawHeaders, 'authorization')
  const host = repeated(rawHeaders, 'host')
  return authorization || host
    ? { ...headers, ...(authorization && { authorization }), ...(host && { host }) }
    : headers
}

/** The values of a header that is there more than once. */
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
