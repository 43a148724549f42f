import type { ConversationId } from './conversation-id.ts'
import type { ConversationItem, StoredConversation } from './stored-conversation.ts'
import type { ResponseOwner } from './stored-response.ts'

/**
 * Stores conversations and their items. A method rejects when the store has failed. Each method is one atomic step, except
 * that `removeExpired` is atomic only for each batch.
 *
 * In each method an owner of `undefined` is any owner.
 */
export interface ConversationRepository {
  /** Stores a conversation without items, and removes those of the owner that expire first beyond `maxConversations`. */
  create(conversation: StoredConversation, maxConversations: number): Promise<void>
  /** @returns `undefined` for an absent or expired conversation */
  find(id: ConversationId, owner: ResponseOwner | undefined, now: Date): Promise<StoredConversation | undefined>
  /** Replaces the metadata. @returns the changed conversation, `undefined` for an absent or expired one */
  changeMetadata(
    id: ConversationId,
    owner: ResponseOwner | undefined,
    metadata: string,
    now: Date,
  ): Promise<StoredConversation | undefined>
  /** Removes a conversation with its items. @returns whether it existed and had not expired */
  remove(id: ConversationId, owner: ResponseOwner | undefined, now: Date): Promise<boolean>
  /**
   * Adds items after all others, in this order, and postpones the expiry. An item whose id the conversation has is left out.
   * Adds all or, beyond the limits of the conversation, none. Then removes those with items of the owner that
   * expire first beyond `maxOwnerLength`, but not this one.
   */
  append(id: ConversationId, items: readonly ConversationItem[], addition: ItemAddition): Promise<AppendOutcome>
  /** Lists items in the order of their addition, or in reverse. An unknown `after` gives an empty list. */
  listItems(id: ConversationId, query: ItemQuery): Promise<readonly ConversationItem[]>
  /** @returns `undefined` for an absent item */
  findItem(id: ConversationId, itemId: string): Promise<ConversationItem | undefined>
  /** @returns whether it existed */
  removeItem(id: ConversationId, itemId: string): Promise<boolean>
  /** Removes conversations that have expired by `now` and not before `since`. @returns the number of conversations removed */
  removeExpired(now: Date, since?: Date): Promise<number>
}

/** `absent`: the conversation does not exist. `full`: it would exceed a limit. */
export type AppendOutcome = 'appended' | 'absent' | 'full'

/** What an addition of items may reach. */
export interface ItemAddition {
  readonly now: Date
  readonly expiresAt: Date
  /** The most items of the conversation. */
  readonly maxItems: number
  /** The most UTF-16 code units of all items of the conversation. */
  readonly maxLength: number
  /** The most UTF-16 code units of all items of the owner's conversations. */
  readonly maxOwnerLength: number
}

/** One page of items. */
export interface ItemQuery {
  /** The last item of the previous page. @default the first page */
  readonly after?: string
  readonly descending: boolean
  readonly limit: number
}
