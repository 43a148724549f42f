import type { RequestHeaders } from './exchange.ts'

const FIT_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** The id under which a request's answer, logs and upstream calls are found: the one that it brings, or a new one. */
export function requestIdOf(headers: RequestHeaders, newRequestId: () => string): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && FIT_ID.test(given) ? given : newRequestId()
}
