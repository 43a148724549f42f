import { answerHeaders } from '../access/answer-headers.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'

export const cacheHandler = ({ gateway, now }: HandlerParts): GatewayHandlers<'clearCache'> => ({
  async clearCache(call) {
    const removed = await gateway.answerCache.clear()
    return { status: 200, headers: answerHeaders(call, now()), body: { object: 'cache', removed } }
  },
})
