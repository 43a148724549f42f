import type { Tagged } from 'type-fest'
import type { Budget } from '../accounts/limits.ts'
import type { Labels, Policy } from '../policies/policy.ts'

/** A team, whose keys name it, or a user, whose keys have its username. */
export type GroupKind = 'team' | 'user'

/** Of a team a UUID, or what the host's `newId` returns. Of a user, the UUID that is derived from the username. */
export type GroupId = Tagged<string, 'GroupId'>

/** The policy and the limits that the keys of a team or a user have together. */
export interface Group extends Labels {
  readonly kind: GroupKind
  readonly id: GroupId
  /** Of a user, the username. Unique among the groups of its kind, and compared exactly. */
  readonly name: string
  /** The most admitted requests of all its keys in any 60 seconds, at least 1. @default unlimited */
  readonly rateLimit?: number
  /** What all its keys may use together. */
  readonly budget: Budget
  readonly policy: Policy
  /** The ids of the users whose keys of this team may issue, change and revoke its keys. Empty for a user. */
  readonly owners: readonly GroupId[]
  readonly createdAt: Date
}
