import { err, ok, Result } from 'neverthrow'
import { isQtreeName } from '../qtrees/check-qtree-name.ts'
import type { Principal, QuotaTarget, QuotaType } from './quota-target.ts'

/** The target of a new rule, as a client gives it. */
export interface TargetRequest {
  readonly type: QuotaType
  /** For user rules only: from 1 to 1,000, which share one limit. A single empty name is the default user rule. */
  readonly users?: readonly NamedPrincipal[]
  /** For group rules only. An empty name is the default group rule. */
  readonly group?: NamedPrincipal
  /** The name of a qtree, at most 64 bytes of UTF-8. Empty for the default tree rule, or for the whole volume in rules of other types. */
  readonly qtree?: string
  /** ONTAP's `user_mapping`, for user rules only. `true` needs at least one user by name. */
  readonly userMapping?: boolean
}

/** A user or group by name or id. Digits alone are an id. */
export interface NamedPrincipal {
  readonly name?: string
  readonly id?: string
}

/** Why the target of a rule is refused. */
export type TargetError =
  | { readonly type: 'users-missing' }
  /** A user without exactly one of name and id. */
  | { readonly type: 'user-name-or-id' }
  | { readonly type: 'group-missing' }
  | { readonly type: 'group-name-or-id' }
  | { readonly type: 'qtree-missing' }
  | { readonly type: 'field-of-another-type'; readonly field: 'users' | 'group'; readonly ruleType: QuotaType }
  | { readonly type: 'user-mapping-without-user' }
  | { readonly type: 'user-mapping-without-name' }
  /** A name that no user, group or qtree can have, or the default user among other users. */
  | { readonly type: 'invalid-target-name'; readonly field: 'users' | 'group' | 'qtree'; readonly name: string }
  | { readonly type: 'too-many-users'; readonly maximum: number }

/** The most users of one rule. */
export const MAXIMUM_USERS = 1000
const MAXIMUM_NAME = 255

export function checkTarget(request: TargetRequest): Result<QuotaTarget, TargetError> {
  const { type, users, group, qtree, userMapping } = request
  if (type !== 'user' && users) return err({ type: 'field-of-another-type', field: 'users', ruleType: type })
  if (type !== 'group' && group) return err({ type: 'field-of-another-type', field: 'group', ruleType: type })
  if (type !== 'user' && userMapping !== undefined) return err({ type: 'user-mapping-without-user' })
  if (qtree !== undefined && qtree !== '' && !isQtreeName(qtree)) return invalid('qtree', qtree)
  const scope = qtree === undefined || qtree === '' ? {} : { qtree }
  switch (type) {
    case 'tree':
      return qtree === undefined ? err({ type: 'qtree-missing' }) : ok({ type, qtree })
    case 'user':
      return checkUsers(users ?? [], userMapping).map((checked) => ({ type, users: checked, ...scope }))
    case 'group':
      return checkGroup(group).map((checked) => ({ type, group: checked, ...scope }))
  }
}

function checkUsers(
  users: readonly NamedPrincipal[],
  userMapping: boolean | undefined,
): Result<readonly [Principal, ...Principal[]], TargetError> {
  if (users.length > MAXIMUM_USERS) return err({ type: 'too-many-users', maximum: MAXIMUM_USERS })
  return Result.combine(
    users.map(({ name, id }): Result<Principal, TargetError> => {
      if ((name === undefined) === (id === undefined)) return err({ type: 'user-name-or-id' })
      return checkPrincipal({ name, id }, 'users')
    }),
  ).andThen((checked): Result<readonly [Principal, ...Principal[]], TargetError> => {
    const [first, ...others] = unique(checked)
    if (!first) return err({ type: 'users-missing' })
    const empty = [first, ...others].find((user) => 'name' in user && user.name === '')
    if (empty && others.length > 0) return invalid('users', '')
    const named = [first, ...others] as const
    return userMapping === true && !hasName(named) ? err({ type: 'user-mapping-without-name' }) : ok(named)
  })
}

function checkGroup(group: NamedPrincipal | undefined): Result<Principal, TargetError> {
  if (group === undefined || (group.name === undefined && group.id === undefined)) return err({ type: 'group-missing' })
  if (group.name !== undefined && group.id !== undefined) return err({ type: 'group-name-or-id' })
  return checkPrincipal(group, 'group')
}

/**
 * A name of digits alone is an id, in either field. Leading zeros of an id are removed. A name must not have them, because
 * clients compare the name of a rule with the one that they set.
 */
function checkPrincipal(
  { name, id }: { readonly name?: string | undefined; readonly id?: string | undefined },
  field: 'users' | 'group',
): Result<Principal, TargetError> {
  const text = name ?? id ?? ''
  if (/^\d+$/.test(text)) {
    if (name !== undefined && LEADING_ZERO.test(name)) return invalid(field, name)
    const number = text.replace(/^0+(?=\d)/, '')
    return number.length <= 10 && Number(number) <= MAXIMUM_ID ? ok({ id: number }) : invalid(field, text)
  }
  if (name === undefined) return SECURITY_ID.test(text) ? ok({ id: text }) : invalid(field, text)
  return isName(name) ? ok({ name }) : invalid(field, name)
}

const MAXIMUM_ID = 2 ** 32 - 1

const LEADING_ZERO = /^0\d/

/** The security id of a Windows user. */
const SECURITY_ID = /^S-1-\d{1,15}(-\d{1,10}){1,15}$/i

/** Whether a user has a name, which user mapping needs. */
export const hasName = (users: readonly Principal[]): boolean => users.some((user) => 'name' in user)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the refused characters
const CONTROL = /[\u0000-\u001f\u007f]/

const isName = (name: string): boolean => name.length <= MAXIMUM_NAME && !CONTROL.test(name) && name.isWellFormed()

function unique(principals: readonly Principal[]): readonly Principal[] {
  const seen = new Map(principals.map((principal) => [JSON.stringify(principal), principal]))
  return [...seen.values()]
}

const invalid = (field: 'users' | 'group' | 'qtree', name: string) =>
  err({ type: 'invalid-target-name', field, name } as const)
