import type { CacheState, GatewayCall } from '../../caller.ts'
import { formatDollars } from '../../money/dollars.ts'
import { addRateHeaders } from './rate-headers.ts'

/**
 * Sets the headers of every answer to a call: its id, its cost, the state of the caller's rate limit, and whether it
 * is from the cache. The contract adds the id to
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
  if (call.cost !== undefined) headers['x-trivium-cost'] = formatDollars(call.cost)
  if (call.rate) addRate(headers, call.rate, now)
  if (call.cache) addCacheHeaders(headers, call.cache)
  return headers
}

function addCacheHeaders(headers: Record<string, string>, cache: CacheState): void {
  headers['x-trivium-cache'] = cache.status
  if (cache.status === 'hit') headers.age = String(cache.ageSeconds)
}
