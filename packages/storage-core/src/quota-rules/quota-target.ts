/** The users, the group or the qtree that a rule limits. */
export type QuotaTarget = TreeTarget | UserTarget | GroupTarget

/** One qtree, or every qtree. */
export interface TreeTarget {
  readonly type: 'tree'
  /** The name of the qtree. Empty for the default rule, which covers every qtree without a rule of its own. */
  readonly qtree: string
}

/** One or several users, or every user. */
export interface UserTarget {
  readonly type: 'user'
  /** Several users share one limit. A single user with an empty name is the default rule. */
  readonly users: readonly [Principal, ...Principal[]]
  /** The qtree whose files are limited. @default the whole volume */
  readonly qtree?: string
}

/** One group, or every group. */
export interface GroupTarget {
  readonly type: 'group'
  /** A group with an empty name is the default rule. */
  readonly group: Principal
  /** The qtree whose files are limited. @default the whole volume */
  readonly qtree?: string
}

/** A user or a group by name or id. A number is always an id. */
export type Principal = { readonly name: string } | { readonly id: string }

export type QuotaType = QuotaTarget['type']

export const quotaTypes = ['tree', 'user', 'group'] as const satisfies readonly QuotaType[]

/** Returns the default target of a type, for the whole volume or for the users or groups of one qtree. */
export function defaultTarget(type: QuotaType, qtree?: string): QuotaTarget {
  if (type === 'tree') return { type, qtree: '' }
  const scope = qtree === undefined ? {} : { qtree }
  return type === 'user' ? { type, users: [{ name: '' }], ...scope } : { type, group: { name: '' }, ...scope }
}

export function isDefaultTarget(target: QuotaTarget): boolean {
  switch (target.type) {
    case 'tree':
      return target.qtree === ''
    case 'user':
      return target.users.some((user) => 'name' in user && user.name === '')
    case 'group':
      return 'name' in target.group && target.group.name === ''
  }
}

/**
 * Returns one key for each user, group or qtree of a target. Two targets of a volume conflict exactly when they share a
 * key, so a unique index over volumes and keys finds every duplicate and every overlap.
 */
export function targetKeys(target: QuotaTarget): readonly string[] {
  switch (target.type) {
    case 'tree':
      return [`tree/${target.qtree}`]
    case 'user':
      return target.users.map((user) => `user/${target.qtree ?? ''}/${principalKey(user)}`)
    case 'group':
      return [`group/${target.qtree ?? ''}/${principalKey(target.group)}`]
  }
}

export const principalKey = (principal: Principal): string =>
  'id' in principal ? `id:${principal.id}` : `name:${principal.name}`
