import type { AnswerCache } from './answer-cache/answer-cache.ts'
import type { ApiKeyRepository } from './api-keys/api-key-repository.ts'
import type { KeyInvalidations } from './api-keys/key-invalidations.ts'
import type { BudgetRepository } from './budgets/budget-repository.ts'
import type { GroupRepository } from './groups/group-repository.ts'
import type { RateLimiter } from './rate-limits/rate-limiter.ts'
import type { RequestLogRepository } from './request-log/request-log-repository.ts'
import type { ConversationRepository } from './responses/conversation-repository.ts'
import type { ResponseRepository } from './responses/response-repository.ts'
import type { UsageRepository } from './usage/usage-repository.ts'

/** The repositories of a gateway. Each may use a different store. */
export interface GatewayRepositories {
  readonly apiKeys: ApiKeyRepository
  readonly rateLimiter: RateLimiter
  readonly budgets: BudgetRepository
  readonly usage: UsageRepository
  /** If absent, there are neither teams nor users with limits. It shares its store with `apiKeys`. */
  readonly groups?: GroupRepository
  /** If absent, a replica uses a key that another one changed until its cache entry expires. */
  readonly keyInvalidations?: KeyInvalidations
  /** If this or `conversations` is absent, answers in the form of responses are not kept. */
  readonly responses?: ResponseRepository
  readonly conversations?: ConversationRepository
  /** Used where the option `answerCache` is given. @default the memory of this process */
  readonly answerCache?: AnswerCache
  /** Used where the option `requestLog` is given. @default the memory of this process */
  readonly requestLog?: RequestLogRepository
  /**
   * Checks that the store is prepared, as by migrations. Called at the start.
   *
   * @returns sentences for the log that say what is missing and what to do, or `undefined`. Rejects where the store fails
   * @default no check
   */
  verify?(): Promise<string | undefined>
}
