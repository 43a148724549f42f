import type { Tagged } from 'type-fest'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { GroupId, GroupKind } from '../groups/group.ts'

/**
 * The id under which stores count requests, tokens and money: of an API key, `user:` and the id of a user of the host, or
 * `team:` or `person:` and the id of a team or of a user of keys.
 */
export type AccountId = ApiKeyId | Tagged<string, 'UserAccountId'> | Tagged<string, 'GroupAccountId'>

/** The API key or the user of the host that used something; neither for the admin and for open operations. */
export interface AccountOwner {
  readonly keyId?: ApiKeyId
  /** As the host's access rule returned it. */
  readonly userId?: string
}

const USER_PREFIX = 'user:'

/** Returns the id under which a store counts for an owner; `undefined` for neither a key nor a user. */
export const accountIdOf = ({
  keyId,
  userId,
}: {
  readonly [Name in keyof AccountOwner]: AccountOwner[Name] | undefined
}): AccountId | undefined => (userId === undefined ? keyId : userAccountId(userId))

/** Returns the owner of a stored id. */
export const accountOwner = (id: string): AccountOwner =>
  // Stores keep ids as the gateway created them.
  id.startsWith(USER_PREFIX) ? { userId: id.slice(USER_PREFIX.length) } : { keyId: id as ApiKeyId }

/** Returns the id of the account of a user of the host. */
export const userAccountId = (id: string) => `${USER_PREFIX}${id}` as AccountId // the only place that creates ids of users

/** Returns the id of the account of a team or a user of keys. */
export const groupAccountId = (kind: GroupKind, id: GroupId) =>
  `${kind === 'team' ? 'team' : 'person'}:${id}` as AccountId // the only place that creates ids of groups
