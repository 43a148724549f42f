import type { HttpCall } from './http-call.ts'
import { addRateHeaders } from './rate-headers.ts'

/**
 * The headers of every answer to a call: its id, and the state of the caller's limit.
 *
 * @param headers gets them; made here where it is absent
 */
export function answerHeaders(call: HttpCall, now: Date, headers: Record<string, string> = {}): Record<string, string> {
  headers['x-request-id'] = call.requestId
  if (call.rate) addRateHeaders(headers, call.rate, now)
  return headers
}
