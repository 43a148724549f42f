import type { ApiKey } from '../api-keys/api-key.ts'
import type { Caller } from '../caller.ts'
import type { Group } from '../groups/group.ts'
import { perObject } from '../per-object.ts'
import { type HeldPolicy, heldPolicy, type PolicyHolder } from '../policies/policy-decisions.ts'
import { type AccountId, type AccountOwner, groupAccountId, userAccountId } from './account-id.ts'
import type { Budget } from './limits.ts'

/** Whose requests and tokens are limited and counted: an API key, a user of the host, a team or a user with several keys. */
export interface Account {
  readonly id: AccountId
  /** The most admitted requests in any 60 seconds, at least 1. @default unlimited */
  readonly rateLimit?: number
  readonly budget: Budget
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

/** Returns the accounts of the team and the user of a key, whose limits hold together with those of the key. */
export const groupAccountsOf = (caller: Caller): readonly Account[] =>
  caller.type === 'key' && caller.key.groups ? governanceOf(caller.key).accounts : none

/** Returns all accounts of a caller. */
export function accountsOf(caller: Caller): readonly Account[] {
  const account = accountOf(caller)
  return account ? [account, ...groupAccountsOf(caller)] : none
}

/** Returns the policies of a caller; none for one that is not restricted. */
export function policiesOf(caller: Caller): readonly HeldPolicy[] {
  if (caller.type !== 'key') return none
  const { policy, groups } = caller.key
  return groups || !isEmpty(policy) ? governanceOf(caller.key).policies : none
}

/** Returns whether tokens or money of a caller are limited. */
export function hasBudget(caller: Caller): boolean {
  if (caller.type === 'key') return governanceOf(caller.key).hasBudget
  const account = accountOf(caller)
  return account !== undefined && isBudgeted(account)
}

/** What restricts a key, by the key as it was authenticated, which many requests have. */
interface Governance {
  readonly accounts: readonly Account[]
  readonly policies: readonly HeldPolicy[]
  readonly hasBudget: boolean
}

const governanceOf = perObject((key: ApiKey): Governance => {
  const { policy, groups = [] } = key
  const accounts = groups.map(groupAccount)
  return {
    accounts,
    policies: [heldPolicy('key', policy), ...groups.map((group) => heldPolicy(group.kind, group.policy))],
    hasBudget: isBudgeted(key) || accounts.some(isBudgeted),
  }
})

const isBudgeted = ({ budget: { spend, tokensPerMinute, tokensPerDay } }: Pick<Account, 'budget'>): boolean =>
  spend !== undefined || tokensPerMinute !== undefined || tokensPerDay !== undefined

const none: readonly never[] = []

function isEmpty(policy: object): boolean {
  for (const _ in policy) return false
  return true
}

/** Returns the account of a team or a user. */
export const groupAccount = ({ kind, id, rateLimit, budget }: Group): Account => ({
  id: groupAccountId(kind, id),
  ...(rateLimit !== undefined && { rateLimit }),
  budget,
})

/** Returns whose account it is, for messages. */
export function holderOf(id: AccountId): PolicyHolder {
  if (id.startsWith('team:')) return 'team'
  return id.startsWith('person:') ? 'user' : 'key'
}

/** Returns the key or the user of a caller. */
export function ownerOf(caller: Caller): AccountOwner {
  if (caller.type === 'key') return { keyId: caller.key.id }
  return caller.type === 'user' ? { userId: caller.id } : {}
}
