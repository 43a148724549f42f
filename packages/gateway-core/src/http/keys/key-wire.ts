import type { InferOutput } from 'valibot'
import { changedBudget } from '../../accounts/limits.ts'
import type { ApiKey } from '../../api-keys/api-key.ts'
import type { ApiKeyChanges } from '../../api-keys/api-key-repository.ts'
import type { IssuedApiKey, NewApiKey } from '../../api-keys/api-keys.ts'
import { withChanges } from '../../changes.ts'
import type { GroupId } from '../../groups/group.ts'
import { termsToWire, toBudgetChanges, toLabelChanges, toPolicyChanges } from '../terms/terms-wire.ts'
import type { issuedKeySchema, keyChangeSchema, keySchema, newKeySchema } from './key-schema.ts'

/** @param username that of the body, or of the user that it names */
export function toNewKey(body: InferOutput<typeof newKeySchema>, username: string): NewApiKey {
  const { name, rate_limit: rateLimit, expires_in_days: expiresInDays, expires_at: expiresAt, team_id: teamId } = body
  return {
    username,
    budget: changedBudget({}, toBudgetChanges(body)),
    policy: withChanges({}, toPolicyChanges(body)),
    ...withChanges({}, toLabelChanges(body)),
    ...(name ? { name } : {}),
    ...(rateLimit ? { rateLimit } : {}),
    ...(teamId ? { teamId: idOfTeam(teamId) } : {}),
    ...(expiresInDays ? { expiresInDays } : {}),
    ...(expiresAt ? { expiresAt } : {}),
  }
}

export function toChanges(body: InferOutput<typeof keyChangeSchema>): ApiKeyChanges {
  const { name, rate_limit: rateLimit, expires_at: expiresAt, team_id: teamId } = body
  return {
    name,
    rateLimit,
    expiresAt,
    teamId: teamId ? idOfTeam(teamId) : (teamId as null | undefined), // not empty
    budget: toBudgetChanges(body),
    policy: toPolicyChanges(body),
    ...toLabelChanges(body),
  }
}

/** Takes any text as an id, because an unknown id is not found. */
const idOfTeam = (text: string) => text as GroupId

export const keyFields = (key: ApiKey) => ({
  key_id: key.id as string,
  user_id: key.userId,
  username: key.username,
  name: key.name ?? null,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  rate_limit: key.rateLimit,
  team_id: key.teamId ?? null,
  ...termsToWire(key),
})

export const keyUse = ({ usageCount, lastUsedAt }: ApiKey) => ({
  usage_count: usageCount,
  last_used_at: lastUsedAt?.toISOString() ?? null,
})

export const toWire = (key: ApiKey): InferOutput<typeof keySchema> => ({
  ...keyFields(key),
  hint: key.hint,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  ...keyUse(key),
})

export const issuedToWire = ({ key, secret }: IssuedApiKey): InferOutput<typeof issuedKeySchema> => ({
  api_key: secret,
  ...keyFields(key),
})
