import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { ApiKey, ApiKeyId } from '../../api-keys/api-key.ts'
import { userIdOf } from '../../api-keys/api-key-secret.ts'
import type { ApiKeyError, ApiKeys } from '../../api-keys/api-keys.ts'
import type { Caller } from '../../caller.ts'
import type { Gateway } from '../../create-gateway.ts'
import type { Group, GroupId } from '../../groups/group.ts'
import { ownTeam } from '../../groups/own-team.ts'

/** The owner of a team asks for something outside the team. */
export interface NotInTeam {
  readonly type: 'not-in-team'
  readonly param: 'team_id' | 'username'
}

/** Returns the team that a caller owns: that of its key, if the user of the key is an owner. `undefined` for the admin. */
export const ownTeamOf = (caller: Caller): Group | undefined =>
  caller.type === 'key' ? ownTeam(caller.key) : undefined

/** Finds a key. For the owner of a team, keys of other teams do not exist. */
export function findInScope(apiKeys: ApiKeys, caller: Caller, id: ApiKeyId): ResultAsync<ApiKey, ApiKeyError> {
  const team = ownTeamOf(caller)
  return apiKeys
    .find(id)
    .andThen((key) => (team && key.teamId !== team.id ? err({ type: 'api-key-not-found', id } as const) : ok(key)))
}

/**
 * Checks whether the owner of a team may issue a key for a username: their own, that of a user who has a usable
 * key of the team, or one without a record, whose limits the key could otherwise use up.
 */
export async function checkUsername(
  { apiKeys, groups }: Pick<Gateway, 'apiKeys' | 'groups'>,
  caller: Caller,
  username: string,
): Promise<Result<void, NotInTeam>> {
  const team = ownTeamOf(caller)
  if (!team || (caller.type === 'key' && caller.key.username === username)) return ok()
  // Users have the ids that are derived from their usernames.
  const user = await groups.find('user', (await userIdOf(username)) as GroupId)
  if (user.isErr()) return ok()
  // A key that was revoked was perhaps issued only to make the user one of the team.
  const { usable } = await apiKeys.count({ username, teamId: team.id })
  return usable > 0 ? ok() : err({ type: 'not-in-team', param: 'username' })
}
