import { type BudgetChanges, changedBudget } from '../accounts/limits.ts'
import { type Changes, withChanges } from '../changes.ts'
import type { Policy } from '../policies/policy.ts'
import type { Group, GroupId, GroupKind } from './group.ts'

/**
 * Stores teams and users. A method rejects when the store has failed. An absent group is `undefined`. Each method is one
 * atomic step. Groups are passed as copies.
 */
export interface GroupRepository {
  /** `taken`: a group of the kind has that id or name. Then nothing is stored. */
  add(group: Group): Promise<'added' | 'taken'>
  /** Runs for each request whose key is not cached. */
  find(kind: GroupKind, id: GroupId): Promise<Group | undefined>
  /** Orders groups by `createdAt`, then by `id` in code units. An unknown `after` gives an empty list. */
  list(query: GroupQuery): Promise<readonly Group[]>
  /** Returns the names of groups, in any order. Absent groups are left out. */
  namesOf(kind: GroupKind, ids: readonly GroupId[]): Promise<readonly Pick<Group, 'id' | 'name'>[]>
  /** Stores {@link changedGroup}. `taken`: another group of the kind has the name. @returns `undefined` for an absent group */
  change(kind: GroupKind, id: GroupId, changes: GroupChanges): Promise<Group | 'taken' | undefined>
  /** @returns whether there was such a group */
  remove(kind: GroupKind, id: GroupId): Promise<boolean>
}

/** Selects one page of the teams, or of the users. */
export interface GroupQuery {
  readonly kind: GroupKind
  /** The last group of the previous page. @default the first page */
  readonly after?: GroupId
  /** The most groups in the page. Of a service from 1 to 1,001. */
  readonly limit: number
}

/** Changes of a team or a user. Absent members are kept, and `null` removes one. */
export interface GroupChanges extends Changes<Pick<Group, 'rateLimit' | 'owners' | 'tags' | 'metadata'>> {
  /** Of a team. The name of a user never changes. */
  readonly name?: string | undefined
  readonly budget?: BudgetChanges | undefined
  readonly policy?: Changes<Policy> | undefined
}

/** Returns a group with changes. */
export function changedGroup(group: Group, { budget, policy, ...others }: GroupChanges): Group {
  return {
    ...withChanges(group, others),
    budget: changedBudget(group.budget, budget),
    policy: withChanges(group.policy, policy ?? {}),
  }
}
