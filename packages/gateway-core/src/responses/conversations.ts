import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow'
import type { Caller } from '../caller.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { ConversationId } from './conversation-id.ts'
import type { AppendOutcome, ConversationRepository } from './conversation-repository.ts'
import type { ItemPage, ItemPageQuery } from './item-page.ts'
import { inputItems, isStorableId, randomId, type StoredItem } from './response-items.ts'
import { parseObject } from './response-object.ts'
import type { ResponseStateError } from './response-state-error.ts'
import type { StateBounds } from './responses-options.ts'
import type { StoredConversation } from './stored-conversation.ts'
import { responseOwnerOf, visibleTo } from './stored-response.ts'

type ConversationError = Extract<
  ResponseStateError,
  {
    type: 'conversation-not-found' | 'conversation-item-not-found' | 'conversation-full' | 'conversations-not-stored'
  }
>

/** Conversations of a caller. The admin finds all by their ids. */
export interface Conversations {
  /** @param items as in the input of a response */
  create(
    caller: Caller,
    metadata: JsonObject,
    items: readonly JsonObject[],
  ): ResultAsync<StoredConversation, ConversationError>
  find(caller: Caller, id: string): ResultAsync<StoredConversation, ConversationError>
  changeMetadata(caller: Caller, id: string, metadata: JsonObject): ResultAsync<StoredConversation, ConversationError>
  remove(caller: Caller, id: string): ResultAsync<void, ConversationError>
  /** Adds items after all others. @returns the items with their ids */
  addItems(caller: Caller, id: string, items: readonly JsonObject[]): ResultAsync<ItemPage, ConversationError>
  listItems(caller: Caller, id: string, query: ItemPageQuery): ResultAsync<ItemPage, ConversationError>
  findItem(caller: Caller, id: string, itemId: string): ResultAsync<JsonObject, ConversationError>
  /** @returns the conversation */
  removeItem(caller: Caller, id: string, itemId: string): ResultAsync<StoredConversation, ConversationError>
}

export interface ConversationsParts {
  /** Absent where nothing is stored. */
  readonly repository: ConversationRepository | undefined
  readonly bounds: StateBounds
  readonly now: () => Date
}

interface StoredConversationsParts extends ConversationsParts {
  readonly repository: ConversationRepository
}

type Found<Value> = Promise<Result<Value, ConversationError>>

export function createConversations({ repository, bounds, now }: StoredConversationsParts): Conversations {
  const notFound = (id: string) => err({ type: 'conversation-not-found' as const, id })

  const find = async (caller: Caller, id: string): Found<StoredConversation> => {
    // Other ids are looked up nowhere.
    const found = isStorableId(id) && (await repository.find(id as ConversationId, visibleTo(caller), now()))
    return found ? ok(found) : notFound(id)
  }

  const add = async (id: ConversationId, items: readonly StoredItem[]): Found<ItemPage> => {
    const outcome = await appendItems({ repository, bounds, now }, id, items, bounds.maxContextBytes)
    if (outcome === 'absent') return notFound(id)
    return outcome === 'full' ? err({ type: 'conversation-full', id }) : ok({ items, hasMore: false })
  }

  const create = async (
    caller: Caller,
    metadata: JsonObject,
    items: readonly JsonObject[],
  ): Found<StoredConversation> => {
    const at = now()
    const conversation: StoredConversation = {
      id: randomId('conv') as ConversationId, // the only place that creates ids of conversations
      owner: responseOwnerOf(caller),
      createdAt: at,
      expiresAt: new Date(at.getTime() + bounds.retentionMs),
      metadata: JSON.stringify(metadata),
    }
    await repository.create(conversation, bounds.maxConversations)
    if (items.length === 0) return ok(conversation)
    return (await add(conversation.id, inputItems(items))).map(() => conversation)
  }

  const changeMetadata = async (caller: Caller, id: string, metadata: JsonObject): Found<StoredConversation> => {
    const found = await find(caller, id)
    if (found.isErr()) return err(found.error)
    const text = JSON.stringify(metadata)
    const changed = await repository.changeMetadata(found.value.id, visibleTo(caller), text, now())
    return changed ? ok(changed) : notFound(id)
  }

  const remove = async (caller: Caller, id: string): Found<void> => {
    const found = await find(caller, id)
    if (found.isErr()) return err(found.error)
    return (await repository.remove(found.value.id, visibleTo(caller), now())) ? ok(undefined) : notFound(id)
  }

  const listItems = async (caller: Caller, id: string, query: ItemPageQuery): Found<ItemPage> => {
    const found = await find(caller, id)
    if (found.isErr()) return err(found.error)
    const { limit, order, after, before } = query
    // The page before an item is the one after it in the other order.
    const isReversed = before !== undefined && after === undefined
    const from = after ?? before
    const listed = await repository.listItems(found.value.id, {
      limit: limit + 1,
      descending: (order === 'desc') !== isReversed,
      ...(from !== undefined && { after: from }),
    })
    const end = after === undefined || before === undefined ? -1 : listed.findIndex(({ id }) => id === before)
    const rows = end < 0 ? listed : listed.slice(0, end)
    const items = rows.slice(0, limit).map(({ item }) => parseObject(item))
    return ok({ items: isReversed ? items.toReversed() : items, hasMore: rows.length > limit })
  }

  const findItem = async (caller: Caller, id: string, itemId: string): Found<JsonObject> => {
    const found = await find(caller, id)
    if (found.isErr()) return err(found.error)
    const item = isStorableId(itemId) ? await repository.findItem(found.value.id, itemId) : undefined
    return item ? ok(parseObject(item.item)) : itemNotFound(id, itemId)
  }

  const removeItem = async (caller: Caller, id: string, itemId: string): Found<StoredConversation> => {
    const found = await find(caller, id)
    if (found.isErr()) return err(found.error)
    const isRemoved = isStorableId(itemId) && (await repository.removeItem(found.value.id, itemId))
    return isRemoved ? ok(found.value) : itemNotFound(id, itemId)
  }

  const addItems = async (caller: Caller, id: string, items: readonly JsonObject[]): Found<ItemPage> => {
    const found = await find(caller, id)
    return found.isErr() ? err(found.error) : add(found.value.id, inputItems(items))
  }

  return {
    create: (caller, metadata, items) => new ResultAsync(create(caller, metadata, items)),
    find: (caller, id) => new ResultAsync(find(caller, id)),
    changeMetadata: (caller, id, metadata) => new ResultAsync(changeMetadata(caller, id, metadata)),
    remove: (caller, id) => new ResultAsync(remove(caller, id)),
    addItems: (caller, id, items) => new ResultAsync(addItems(caller, id, items)),
    listItems: (caller, id, query) => new ResultAsync(listItems(caller, id, query)),
    findItem: (caller, id, itemId) => new ResultAsync(findItem(caller, id, itemId)),
    removeItem: (caller, id, itemId) => new ResultAsync(removeItem(caller, id, itemId)),
  }
}

const itemNotFound = (conversationId: string, id: string) =>
  err({ type: 'conversation-item-not-found' as const, id, conversationId })

/** The conversations of a gateway that stores none. */
export const absentConversations: Conversations = {
  create: () => notStored(),
  find: () => notStored(),
  changeMetadata: () => notStored(),
  remove: () => notStored(),
  addItems: () => notStored(),
  listItems: () => notStored(),
  findItem: () => notStored(),
  removeItem: () => notStored(),
}

function notStored(): ResultAsync<never, ConversationError> {
  return errAsync({ type: 'conversations-not-stored', param: null })
}

/** Adds items to a conversation, and postpones its expiry. */
export async function appendItems(
  { repository, bounds, now }: ConversationsParts,
  id: ConversationId,
  items: readonly StoredItem[],
  maxLength: number,
): Promise<AppendOutcome> {
  const at = now()
  const added = items.map((item) => ({ id: item.id, item: JSON.stringify(item) }))
  const expiresAt = new Date(at.getTime() + bounds.retentionMs)
  const limits = { maxItems: bounds.maxContextItems, maxLength, maxOwnerLength: bounds.maxBytes }
  return (await repository?.append(id, added, { now: at, expiresAt, ...limits })) ?? 'absent'
}
