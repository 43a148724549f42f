import type { GatewayCall } from '../../caller.ts'
import { addRateHeaders } from './rate-headers.ts'

/**
 * The headers of every answer to a call: its id, and the state of the caller's limit. The contract adds the id to replies
 * without these, at the price of a copy.
 *
 * @param headers gets them; made here where it is absent
 */
export function answerHeaders(
  call: GatewayCall,
  now: Date,
  headers: Record<string, string> = {},
): Record<string, string> {
  headers['x-request-id'] = call.requestId
  if (call.rate) addRateHeaders(headers, call.rate, now)
  return headers
}
