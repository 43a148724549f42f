import type { LimitTarget, UsageTarget } from '@trivium/storage-core/ports'
import { type Principals, ROOT } from '../principals.ts'

/** The ids of a user and a group, and the name of a qtree, that a file is charged to. */
export interface Owner {
  readonly user: string
  readonly group: string
  readonly qtree: string | undefined
}

/** A counter of usage. */
export interface Account {
  readonly kind: 'tree' | 'user' | 'group'
  /** The id of a user or group. */
  readonly id?: string
  readonly qtree?: string
}

export const accountKey = ({ kind, id = '', qtree = '' }: Account): string => `${kind}/${id}/${qtree}`

/** The accounts of a file, in the order in which their limits are checked. */
export function accountsOf({ user, group, qtree }: Owner): readonly Account[] {
  const whole: readonly Account[] = [
    { kind: 'user', id: user },
    { kind: 'group', id: group },
  ]
  if (qtree === undefined) return whole
  return [{ kind: 'tree', qtree }, ...whole, ...whole.map((account) => ({ ...account, qtree }))]
}

/** Quotas of users and groups do not limit root. Those of qtrees do. */
export const isExempt = (account: Account, { user }: Owner): boolean =>
  account.kind !== 'tree' && (user === ROOT || account.id === ROOT)

/** The accounts whose usage a limit adds up. Empty for a limit of every user or every group. */
export function accountsOfTarget(target: LimitTarget, users: Principals, groups: Principals): readonly Account[] {
  const scope = target.kind !== 'tree' && target.qtree !== undefined ? { qtree: target.qtree } : {}
  switch (target.kind) {
    case 'tree':
      return [{ kind: 'tree', qtree: target.qtree }]
    case 'users':
      return target.users.map((user) => ({ kind: 'user', id: users.resolve(user).id, ...scope }))
    case 'group':
      return [{ kind: 'group', id: groups.resolve(target.group).id, ...scope }]
    default:
      return []
  }
}

export function usageTarget({ kind, id = '', qtree }: Account, users: Principals, groups: Principals): UsageTarget {
  const scope = qtree === undefined ? {} : { qtree }
  switch (kind) {
    case 'tree':
      return { kind, qtree: qtree ?? '' }
    case 'user':
      return { kind, user: users.describe(id), ...scope }
    case 'group':
      return { kind, group: groups.describe(id), ...scope }
  }
}
