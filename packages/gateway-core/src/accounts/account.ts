import type { TokenBudget } from '../api-keys/api-key.ts'
import type { Caller } from '../caller.ts'
import { type AccountId, type AccountOwner, userAccountId } from './account-id.ts'

/** Whose requests and tokens are limited and counted: an API key, or a user of the host. */
export interface Account {
  readonly id: AccountId
  /** The most admitted requests in any 60 seconds, at least 1. @default unlimited */
  readonly rateLimit?: number
  readonly budget: TokenBudget
}

/** Returns the account of a caller; `undefined` for one that is not limited. */
export function accountOf(caller: Caller): Account | undefined {
  if (caller.type === 'key') return caller.key
  if (caller.type !== 'user') return undefined
  const { requestsPerMinute, tokensPerMinute, tokensPerDay } = caller.limits ?? {}
  return {
    id: userAccountId(caller.id),
    ...(requestsPerMinute !== undefined && { rateLimit: requestsPerMinute }),
    budget: {
      ...(tokensPerMinute !== undefined && { tokensPerMinute }),
      ...(tokensPerDay !== undefined && { tokensPerDay }),
    },
  }
}

/** Returns the key or the user of a caller. */
export function ownerOf(caller: Caller): AccountOwner {
  if (caller.type === 'key') return { keyId: caller.key.id }
  return caller.type === 'user' ? { userId: caller.id } : {}
}
