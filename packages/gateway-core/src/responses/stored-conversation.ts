import type { ConversationId } from './conversation-id.ts'
import type { ResponseOwner } from './stored-response.ts'

/** A conversation, whose items are stored next to it. */
export interface StoredConversation {
  readonly id: ConversationId
  readonly owner: ResponseOwner
  readonly createdAt: Date
  /** It is not found from this time on. Each use postpones it. */
  readonly expiresAt: Date
  /** A JSON object as text. */
  readonly metadata: string
}

/** An item of a conversation. */
export interface ConversationItem {
  /** Unique within the conversation. At most 128 characters. */
  readonly id: string
  /** The item as JSON text, with its id. */
  readonly item: string
}
