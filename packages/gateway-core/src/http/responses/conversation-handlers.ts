import { encodedJson } from '@trivium/http-contract'
import { parseJson } from '../../chat/parse-json.ts'
import type { StoredConversation } from '../../responses/stored-conversation.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import { itemList } from './item-list.ts'
import { pageQuery } from './page-query.ts'

type ConversationOperation =
  | 'createConversation'
  | 'getConversation'
  | 'changeConversation'
  | 'deleteConversation'
  | 'createConversationItems'
  | 'listConversationItems'
  | 'getConversationItem'
  | 'deleteConversationItem'

export const conversationHandlers = ({ gateway, now }: HandlerParts): GatewayHandlers<ConversationOperation> => ({
  async createConversation(call) {
    const { metadata, items } = call.body
    const created = await gateway.conversations.create(call.caller, metadata ?? {}, items ?? [])
    if (created.isErr()) return refuseCall(created.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: toWire(created.value) }
  },

  async getConversation(call) {
    const found = await gateway.conversations.find(call.caller, call.params.conversation_id)
    if (found.isErr()) return refuseCall(found.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: toWire(found.value) }
  },

  async changeConversation(call) {
    const { caller, params, body } = call
    const changed = await gateway.conversations.changeMetadata(caller, params.conversation_id, body.metadata ?? {})
    if (changed.isErr()) return refuseCall(changed.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: toWire(changed.value) }
  },

  async deleteConversation(call) {
    const id = call.params.conversation_id
    const removed = await gateway.conversations.remove(call.caller, id)
    if (removed.isErr()) return refuseCall(removed.error, call, now())
    const body = { id, object: 'conversation.deleted' as const, deleted: true as const }
    return { status: 200, headers: answerHeaders(call, now()), body }
  },

  async createConversationItems(call) {
    const { caller, params, body } = call
    const added = await gateway.conversations.addItems(caller, params.conversation_id, body.items)
    if (added.isErr()) return refuseCall(added.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: itemList(added.value) }
  },

  async listConversationItems(call) {
    const { caller, params, query } = call
    const listed = await gateway.conversations.listItems(caller, params.conversation_id, pageQuery(query))
    if (listed.isErr()) return refuseCall(listed.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: itemList(listed.value) }
  },

  async getConversationItem(call) {
    const { conversation_id: id, item_id: itemId } = call.params
    const found = await gateway.conversations.findItem(call.caller, id, itemId)
    if (found.isErr()) return refuseCall(found.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: encodedJson(JSON.stringify(found.value)) }
  },

  async deleteConversationItem(call) {
    const { conversation_id: id, item_id: itemId } = call.params
    const removed = await gateway.conversations.removeItem(call.caller, id, itemId)
    if (removed.isErr()) return refuseCall(removed.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: toWire(removed.value) }
  },
})

const toWire = ({ id, createdAt, metadata }: StoredConversation) => ({
  id,
  object: 'conversation' as const,
  created_at: Math.floor(createdAt.getTime() / 1000),
  // Metadata is stored as it was checked.
  metadata: parseJson(metadata) as Record<string, string>,
})
