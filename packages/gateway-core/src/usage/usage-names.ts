import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { ApiKeyNames, ApiKeyRepository } from '../api-keys/api-key-repository.ts'
import type { GroupId } from '../groups/group.ts'
import type { GroupRepository } from '../groups/group-repository.ts'
import type { UsageGroup } from './usage-repository.ts'

/** The names of what summaries are about. Keys, teams and users that were deleted have none. */
export interface UsageNames {
  readonly keys: ReadonlyMap<string, ApiKeyNames>
  /** By the ids of teams. */
  readonly teams: ReadonlyMap<string, string>
  /** Usernames, by the ids of the gateway's own users. */
  readonly users: ReadonlyMap<string, string>
}

export interface UsageNamesParts {
  readonly apiKeys: Pick<ApiKeyRepository, 'namesOf' | 'usernamesOf'>
  readonly groups: Pick<GroupRepository, 'namesOf'> | undefined
}

/** Looks up the names of groups: the ids of one kind together. */
export async function usageNamesOf(
  groupsOfUsage: readonly UsageGroup[],
  { apiKeys, groups }: UsageNamesParts,
): Promise<UsageNames> {
  const valuesOf = (name: 'keyId' | 'teamId' | 'personId') => [
    ...new Set(groupsOfUsage.flatMap((group) => group[name] ?? [])),
  ]
  const teams = valuesOf('teamId') as GroupId[] // an unknown id has no name
  const people = valuesOf('personId')
  const [keys, teamNames, holders, records] = await Promise.all([
    found(valuesOf('keyId') as ApiKeyId[], (ids) => apiKeys.namesOf(ids)), // likewise
    found(teams, async (ids) => (await groups?.namesOf('team', ids)) ?? []),
    found(people, (ids) => apiKeys.usernamesOf(ids)),
    found(people as GroupId[], async (ids) => (await groups?.namesOf('user', ids)) ?? []), // users have these ids
  ])
  return {
    keys: new Map(keys.map((key) => [key.id, key])),
    teams: new Map(teamNames.map(({ id, name }) => [id, name])),
    users: new Map([
      ...records.map(({ id, name }) => [id, name] as const),
      ...holders.map(({ userId, username }) => [userId, username] as const),
    ]),
  }
}

const found = async <Id, Row>(ids: readonly Id[], look: (ids: readonly Id[]) => Promise<readonly Row[]>) =>
  ids.length === 0 ? [] : look(ids)
