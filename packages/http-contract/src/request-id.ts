import type { RequestHeaders } from './exchange.ts'

const FIT_ID = /^[A-Za-z0-9._:-]{1,128}$/

/**
 * Returns the id for a request's answer, logs and upstream calls: its own `x-request-id` if that is valid, or a new
 * one.
 */
export function requestIdOf(headers: RequestHeaders, newRequestId: () => string): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && FIT_ID.test(given) ? given : newRequestId()
}
