import type { GatewayRepositories } from '../gateway-repositories.ts'
import { memoryAnswerCache } from './memory-answer-cache.ts'
import { memoryApiKeys } from './memory-api-keys.ts'
import { memoryBudgets } from './memory-budgets.ts'
import { memoryConversations } from './memory-conversations.ts'
import { memoryGroups } from './memory-groups.ts'
import { memoryKeyInvalidations } from './memory-key-invalidations.ts'
import { memoryRateLimiter } from './memory-rate-limiter.ts'
import { memoryRequestLog } from './memory-request-log.ts'
import { memoryResponses } from './memory-responses.ts'
import { memoryUsage } from './memory-usage.ts'

/**
 * Creates all repositories of a gateway in the memory of this process.
 *
 * @example
 * ```ts
 * import { createGateway } from '@trivium/gateway-core'
 * import { localProvider } from '@trivium/local-provider'
 * import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
 *
 * const gateway = createGateway({ providers: [localProvider()] })
 * ```
 */
export const memoryGatewayRepositories = (): GatewayRepositories => ({
  apiKeys: memoryApiKeys(),
  rateLimiter: memoryRateLimiter(),
  budgets: memoryBudgets(),
  usage: memoryUsage(),
  groups: memoryGroups(),
  keyInvalidations: memoryKeyInvalidations(),
  responses: memoryResponses(),
  conversations: memoryConversations(),
  answerCache: memoryAnswerCache(),
  requestLog: memoryRequestLog(),
})
