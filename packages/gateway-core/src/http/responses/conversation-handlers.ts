import { encodedJson } from '@trivium/http-contract'
import { parseJson } from '../../chat/parse-json.ts'
import type { StoredConversation } from '../../responses/stored-conversation.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { itemList } from './item-list.ts'
import { pageQuery } from './page-query.ts'
import { stateAnswer } from './state-answer.ts'

type ConversationOperation =
  | 'createConversation'
  | 'getConversation'
  | 'changeConversation'
  | 'deleteConversation'
  | 'createConversationItems'
  | 'listConversationItems'
  | 'getConversationItem'
  | 'deleteConversationItem'

export function conversationHandlers(parts: HandlerParts): GatewayHandlers<ConversationOperation> {
  const { conversations } = parts.gateway
  const answer = stateAnswer(parts)
  return {
    createConversation(call) {
      const { metadata, items } = call.body
      return answer(call, () => conversations.create(call.caller, metadata ?? {}, items ?? []), toWire)
    },

    getConversation: (call) => answer(call, () => conversations.find(call.caller, call.params.conversation_id), toWire),

    changeConversation(call) {
      const { caller, params, body } = call
      return answer(
        call,
        () => conversations.changeMetadata(caller, params.conversation_id, body.metadata ?? {}),
        toWire,
      )
    },

    deleteConversation(call) {
      const id = call.params.conversation_id
      return answer(
        call,
        () => conversations.remove(call.caller, id),
        () => ({ id, object: 'conversation.deleted' as const, deleted: true as const }),
      )
    },

    createConversationItems(call) {
      const { caller, params, body } = call
      return answer(call, () => conversations.addItems(caller, params.conversation_id, body.items), itemList)
    },

    listConversationItems(call) {
      const { caller, params, query } = call
      return answer(call, () => conversations.listItems(caller, params.conversation_id, pageQuery(query)), itemList)
    },

    getConversationItem(call) {
      const { conversation_id: id, item_id: itemId } = call.params
      return answer(
        call,
        () => conversations.findItem(call.caller, id, itemId),
        (item) => encodedJson(JSON.stringify(item)),
      )
    },

    deleteConversationItem(call) {
      const { conversation_id: id, item_id: itemId } = call.params
      return answer(call, () => conversations.removeItem(call.caller, id, itemId), toWire)
    },
  }
}

const toWire = ({ id, createdAt, metadata }: StoredConversation) => ({
  id,
  object: 'conversation' as const,
  created_at: Math.floor(createdAt.getTime() / 1000),
  // Metadata is stored as it was checked.
  metadata: parseJson(metadata) as Record<string, string>,
})
