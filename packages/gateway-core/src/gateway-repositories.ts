import type { ApiKeyRepository } from './api-keys/api-key-repository.ts'
import type { KeyInvalidations } from './api-keys/key-invalidations.ts'
import type { BudgetRepository } from './budgets/budget-repository.ts'
import type { RateLimiter } from './rate-limits/rate-limiter.ts'
import type { UsageRepository } from './usage/usage-repository.ts'

/** What a gateway keeps. Each may live in a store of its own. */
export interface GatewayRepositories {
  readonly apiKeys: ApiKeyRepository
  readonly rateLimiter: RateLimiter
  readonly budgets: BudgetRepository
  readonly usage: UsageRepository
  /** Absent: a replica learns of a key that another one changed when its cache entry ends. */
  readonly keyInvalidations?: KeyInvalidations
}
