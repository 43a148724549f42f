import type { GatewayCall } from '../../caller.ts'
import { addRateHeaders } from './rate-headers.ts'

/**
 * Sets the headers of every answer to a call: its id and the state of the caller's rate limit. The contract adds the id to
 * replies without it, but has to copy them.
 *
 * @param headers the object to change and return
 * @param addRate adds the family of headers that the clients of the operation read
 */
export function answerHeaders(
  call: GatewayCall,
  now: Date,
  headers: Record<string, string> = {},
  addRate = addRateHeaders,
): Record<string, string> {
  headers['x-request-id'] = call.requestId
  if (call.rate) addRate(headers, call.rate, now)
  return headers
}
