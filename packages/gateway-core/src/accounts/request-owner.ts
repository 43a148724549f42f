import type { ApiKey } from '../api-keys/api-key.ts'
import type { Caller } from '../caller.ts'
import { perObject } from '../per-object.ts'
import { ownerOf } from './account.ts'
import type { AccountOwner } from './account-id.ts'

/** Whose request a usage record is about. */
export interface RequestOwner extends AccountOwner {
  /** The gateway's own user of the key. */
  readonly personId?: string
  /** The team of the key. */
  readonly teamId?: string
  /** The tags of the key, its team and its user, at most 60. */
  readonly tags?: readonly string[]
}

/** Of a key, its team and its user, which have at most 20 each. */
const MAX_TAGS = 60

/** Returns the key or the user of a caller, with what the key belongs to. */
export const requestOwnerOf = (caller: Caller): RequestOwner =>
  caller.type === 'key' ? ownerOfKey(caller.key) : ownerOf(caller)

const ownerOfKey = perObject(
  ({ id: keyId, userId: personId, teamId, tags: own = [], groups = [] }: ApiKey): RequestOwner => {
    const tags = groups.length === 0 ? own : [...new Set([...own, ...groups.flatMap((group) => group.tags ?? [])])]
    return {
      keyId,
      personId,
      ...(teamId === undefined ? {} : { teamId }),
      ...(tags.length > 0 ? { tags: tags.slice(0, MAX_TAGS) } : {}),
    }
  },
)
