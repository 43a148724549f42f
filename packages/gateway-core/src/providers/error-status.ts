import type { ProviderError } from './provider-error.ts'

/** The status of a request whose client has disconnected. Only usage records and metrics contain it. */
export const CLIENT_DISCONNECTED = 499

/** Anthropic's status of an overloaded service. Only clients of messages get it; others, and usage records, get 503. */
export const OVERLOADED = 529

/** Returns whether the upstream reports that it is overloaded. */
export const isOverloaded = (error: ProviderError): boolean => error.type === 'refused' && error.status === OVERLOADED

/** Statuses of errors that a client can fix or wait for. */
const passedOnStatuses: ReadonlySet<number> = new Set([400, 404, 408, 409, 413, 422, 429, 503])

/** Returns the gateway's own status for an upstream's failure. */
export function statusOf(error: ProviderError): number {
  switch (error.type) {
    case 'refused':
      if (error.status === OVERLOADED) return 503
      return passedOnStatuses.has(error.status) ? error.status : 502
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
      return CLIENT_DISCONNECTED
  }
}
