/** Whom or what a rule limits. */
export type QuotaTarget = TreeTarget | UserTarget | GroupTarget

/** A qtree, or all of them. */
export interface TreeTarget {
  readonly type: 'tree'
  /** The qtree's name; empty for the default rule, which covers every qtree without a rule of its own. */
  readonly qtree: string
}

/** Users, or each of them. */
export interface UserTarget {
  readonly type: 'user'
  /** Several users share one limit. Exactly one with an empty name is the default rule. */
  readonly users: readonly [Principal, ...Principal[]]
  /** Limits only what is in that qtree. @default the whole volume */
  readonly qtree?: string
}

/** A group, or each of them. */
export interface GroupTarget {
  readonly type: 'group'
  /** With an empty name it is the default rule. */
  readonly group: Principal
  readonly qtree?: string
}

/** A user or a group, as it was named: a number is always an id. */
export type Principal = { readonly name: string } | { readonly id: string }

export type QuotaType = QuotaTarget['type']

export const quotaTypes = ['tree', 'user', 'group'] as const satisfies readonly QuotaType[]

/** The default target of a type: on the whole volume, or for users and groups of one qtree. */
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
 * What no second rule of the same volume may name: one key for each user, group or qtree. Two targets conflict exactly
 * when they share a key, so a unique index over keys and volume finds every duplicate and every overlap.
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
