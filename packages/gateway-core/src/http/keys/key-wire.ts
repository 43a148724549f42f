import type { InferOutput } from 'valibot'
import type { ApiKey, TokenBudget } from '../../api-keys/api-key.ts'
import type { ApiKeyLimits } from '../../api-keys/api-key-repository.ts'
import type { IssuedApiKey, NewApiKey } from '../../api-keys/api-keys.ts'
import type { issuedKeySchema, keyChangeSchema, keySchema, newKeySchema } from './key-schema.ts'

export function toNewKey(body: InferOutput<typeof newKeySchema>): NewApiKey {
  const { username, name, rate_limit: rateLimit, expires_in_days: expiresInDays } = body
  return {
    username,
    budget: toBudget(body, {}),
    ...(name ? { name } : {}),
    ...(rateLimit ? { rateLimit } : {}),
    ...(expiresInDays ? { expiresInDays } : {}),
  }
}

/** @param before the budget whose limits are kept where the body has none */
export function toLimits(body: InferOutput<typeof keyChangeSchema>, before: TokenBudget): ApiKeyLimits {
  const { rate_limit: rateLimit, tokens_per_minute, tokens_per_day } = body
  return {
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(tokens_per_minute === undefined && tokens_per_day === undefined ? {} : { budget: toBudget(body, before) }),
  }
}

interface WireBudget {
  readonly tokens_per_minute?: number | null
  readonly tokens_per_day?: number | null
}

function toBudget({ tokens_per_minute, tokens_per_day }: WireBudget, before: TokenBudget): TokenBudget {
  const perMinute = tokens_per_minute === undefined ? before.tokensPerMinute : tokens_per_minute
  const perDay = tokens_per_day === undefined ? before.tokensPerDay : tokens_per_day
  return { ...(perMinute ? { tokensPerMinute: perMinute } : {}), ...(perDay ? { tokensPerDay: perDay } : {}) }
}

export const keyFields = (key: ApiKey) => ({
  key_id: key.id as string,
  user_id: key.userId,
  username: key.username,
  name: key.name ?? null,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  rate_limit: key.rateLimit,
  tokens_per_minute: key.budget.tokensPerMinute ?? null,
  tokens_per_day: key.budget.tokensPerDay ?? null,
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
