import type { ProviderError } from './provider-error.ts'

/** What a client that left is told, which nobody reads: the books do. */
export const CLIENT_LEFT = 499

/** What a client can mend, or wait for. */
const passedOn: ReadonlySet<number> = new Set([400, 404, 408, 409, 413, 422, 429])

/** The status that an upstream's failure gives the gateway's own answer. */
export function statusOf(error: ProviderError): number {
  switch (error.type) {
    case 'refused':
      return passedOn.has(error.status) ? error.status : 502
    case 'unsupported':
      return 400
    case 'timed-out':
      return 504
    case 'unreachable':
      return error.retryAfterSeconds === undefined ? 502 : 503
    case 'interrupted':
    case 'malformed':
      return 502
    case 'cancelled':
      return CLIENT_LEFT
  }
}
