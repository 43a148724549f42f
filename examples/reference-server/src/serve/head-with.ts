import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * Returns the `writeHead` of responses that have some headers, unless they are given others of the same names. Node writes
 * the head of a response without a header that was set before in a much shorter way.
 */
export function headWith(headers: Readonly<Record<string, string>>): ServerResponse['writeHead'] {
  const names = Object.entries(headers)
  return function writeHead(this: ServerResponse, status: number, second?: string | Given, third?: Given) {
    if (typeof second === 'string') this.statusMessage = second
    const given = typeof second === 'string' ? third : second
    if (given !== undefined && !Array.isArray(given) && this.getHeaderNames().length === 0) {
      return write.call(this, status, { ...headers, ...given })
    }
    for (const [name, value] of names) if (!this.hasHeader(name)) this.setHeader(name, value)
    return write.call(this, status, given)
  }
}

const { writeHead: write } = ServerResponse.prototype
