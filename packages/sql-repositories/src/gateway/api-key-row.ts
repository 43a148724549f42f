import { createHash } from 'node:crypto'
import type { ApiKey } from '@trivium/gateway-core'
import type { GroupId } from '@trivium/gateway-core/ports'
import type { ApiKeyRow } from './gateway-tables.ts'
import { keyTerms, readKeyTerms } from './terms.ts'

export function toRow(key: ApiKey): ApiKeyRow {
  return {
    id: key.id,
    hash: key.hash,
    hint: key.hint,
    user_id: key.userId,
    username: key.username,
    name: key.name ?? null,
    name_claim: nameClaim(key),
    rate_limit: key.rateLimit,
    tokens_per_minute: key.budget.tokensPerMinute ?? null,
    tokens_per_day: key.budget.tokensPerDay ?? null,
    created_at: key.createdAt.getTime(),
    expires_at: key.expiresAt?.getTime() ?? null,
    revoked_at: key.revokedAt?.getTime() ?? null,
    usage_count: key.usageCount,
    last_used_at: key.lastUsedAt?.getTime() ?? null,
    team_id: key.teamId ?? null,
    terms: keyTerms(key),
  }
}

export function fromRow(row: ApiKeyRow): ApiKey {
  const { budget, ...terms } = readKeyTerms(row.terms)
  return {
    // Ids and hashes are stored as the gateway created them.
    id: row.id as ApiKey['id'],
    hash: row.hash as ApiKey['hash'],
    hint: row.hint,
    userId: row.user_id,
    username: row.username,
    ...(row.name !== null && { name: row.name }),
    rateLimit: row.rate_limit,
    budget: {
      ...(row.tokens_per_minute !== null && { tokensPerMinute: row.tokens_per_minute }),
      ...(row.tokens_per_day !== null && { tokensPerDay: row.tokens_per_day }),
      ...budget,
    },
    ...terms,
    ...(row.team_id !== null && { teamId: row.team_id as GroupId }),
    createdAt: new Date(row.created_at),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at) }),
    ...(row.revoked_at !== null && { revokedAt: new Date(row.revoked_at) }),
    usageCount: row.usage_count,
    ...(row.last_used_at !== null && { lastUsedAt: new Date(row.last_used_at) }),
  }
}

/** A digest of username and name, unique among keys that are not revoked. Names are too long for an index. */
function nameClaim(key: Pick<ApiKey, 'username' | 'name' | 'revokedAt'>): string | null {
  if (key.name === undefined || key.revokedAt !== undefined) return null
  return createHash('sha256')
    .update(JSON.stringify([key.username, key.name]))
    .digest('hex')
}
