import type { InferOutput } from 'valibot'
import { changedBudget } from '../../accounts/limits.ts'
import { isUserId, userIdOf } from '../../api-keys/api-key-secret.ts'
import { withChanges } from '../../changes.ts'
import type { Group, GroupId } from '../../groups/group.ts'
import type { GroupChanges } from '../../groups/group-repository.ts'
import type { NewGroup } from '../../groups/groups.ts'
import { termsToWire, toBudgetChanges, toLabelChanges, toPolicyChanges, type WireTerms } from '../terms/terms-wire.ts'
import type { newTeamSchema, newUserSchema, teamChangeSchema, teamSchema, userSchema } from './group-schema.ts'

export const toNewTeam = async (body: InferOutput<typeof newTeamSchema>): Promise<NewGroup> => ({
  kind: 'team',
  name: body.name,
  ...(body.owners ? { owners: await ownersOf(body.owners) } : {}),
  ...newTerms(body),
})

export const toNewUser = (body: InferOutput<typeof newUserSchema>): NewGroup => ({
  kind: 'user',
  name: body.username,
  ...newTerms(body),
})

const newTerms = (body: GroupTerms) => ({
  budget: changedBudget({}, toBudgetChanges(body)),
  policy: withChanges({}, toPolicyChanges(body)),
  ...withChanges({}, toLabelChanges(body)),
  ...(body.rate_limit ? { rateLimit: body.rate_limit } : {}),
})

export const toTeamChanges = async ({
  name,
  owners,
  ...body
}: InferOutput<typeof teamChangeSchema>): Promise<GroupChanges> => ({
  name,
  owners: owners && (await ownersOf(owners)),
  ...toTermChanges(body),
})

/** Returns the ids of users that are named by their ids or by their usernames, each once. */
async function ownersOf(owners: readonly string[]): Promise<GroupId[]> {
  const ids = await Promise.all(owners.map((owner) => (isUserId(owner) ? owner.toLowerCase() : userIdOf(owner))))
  return [...new Set(ids.map(idOf))]
}

export const toTermChanges = (body: GroupTerms): GroupChanges => ({
  rateLimit: body.rate_limit,
  budget: toBudgetChanges(body),
  policy: toPolicyChanges(body),
  ...toLabelChanges(body),
})

type GroupTerms = WireTerms & { readonly rate_limit?: number | null }

export const teamToWire = (team: Group): InferOutput<typeof teamSchema> => ({
  team_id: team.id,
  name: team.name,
  owners: [...team.owners],
  ...reported(team),
})

export const userToWire = (user: Group): InferOutput<typeof userSchema> => ({
  user_id: user.id,
  username: user.name,
  ...reported(user),
})

const reported = (group: Group) => ({
  created_at: group.createdAt.toISOString(),
  rate_limit: group.rateLimit ?? null,
  ...termsToWire(group),
})

/** Takes any text as an id, because an unknown id is not found. */
export const idOf = (text: string) => text as GroupId
