import type { ConversationId, ResponseId, StoredResponse } from '@trivium/gateway-core/ports'
import type { ResponseRow } from './gateway-tables.ts'

export const toRow = (stored: StoredResponse): ResponseRow => ({
  id: stored.id,
  owner: stored.owner,
  created_at: stored.createdAt.getTime(),
  expires_at: stored.expiresAt.getTime(),
  state: stored.status,
  bytes: stored.bytes,
  previous_id: stored.previousId ?? null,
  conversation_id: stored.conversationId ?? null,
  background: Number(stored.background),
  lease_until: stored.leaseUntil?.getTime() ?? null,
  response: stored.response,
  input: stored.input,
})

export const fromRow = (row: ResponseRow): StoredResponse => ({
  // Ids, owners and states are stored as the gateway created them.
  id: row.id as ResponseId,
  owner: row.owner as StoredResponse['owner'],
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
  status: row.state as StoredResponse['status'],
  response: row.response,
  input: row.input,
  bytes: row.bytes,
  ...(row.previous_id !== null && { previousId: row.previous_id as ResponseId }),
  ...(row.conversation_id !== null && { conversationId: row.conversation_id as ConversationId }),
  background: row.background !== 0,
  ...(row.lease_until !== null && { leaseUntil: new Date(row.lease_until) }),
})
