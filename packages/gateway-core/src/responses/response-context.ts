import { err, ok, type Result } from 'neverthrow'
import { byteLength } from '../byte-length.ts'
import { isObject } from '../chat/is-object.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { ConversationId } from './conversation-id.ts'
import type { ConversationRepository } from './conversation-repository.ts'
import { asContext, isStorableId } from './response-items.ts'
import { parseObject } from './response-object.ts'
import type { ResponseContextError } from './response-state-error.ts'
import { itemsOfTurn, type ResponseStore } from './response-store.ts'
import type { StateBounds } from './responses-options.ts'
import { isRunning, type ResponseId, type ResponseOwner, type StoredResponse } from './stored-response.ts'

/** What a request continues. */
export interface ResponseContext {
  readonly previousId?: ResponseId
  readonly conversationId?: ConversationId
  /** The items that come before the input, oldest first. */
  readonly items: readonly JsonObject[]
}

export interface ContextParts {
  /** Absent where nothing is stored. */
  readonly store: ResponseStore | undefined
  readonly conversations: ConversationRepository | undefined
  readonly bounds: StateBounds
  readonly now: () => Date
}

/** Returns whether what a request continues or refers to is looked up. */
export const readsState = ({ previous_response_id: previousId, conversation, input }: JsonObject): boolean =>
  typeof previousId === 'string' ||
  conversationIdOf(conversation) !== undefined ||
  (Array.isArray(input) && input.some((item) => referenceOf(item) !== undefined))

type Loaded<Value> = Promise<Result<Value, ResponseContextError>>

/** Loads what `previous_response_id` or `conversation` names. A caller continues only what it has created itself. */
export async function loadContext(
  parts: ContextParts,
  body: JsonObject,
  owner: ResponseOwner,
): Loaded<ResponseContext> {
  const previousId = typeof body.previous_response_id === 'string' ? body.previous_response_id : undefined
  const conversationId = conversationIdOf(body.conversation)
  if (previousId !== undefined && conversationId !== undefined) return err({ type: 'context-ambiguous' })
  if (previousId !== undefined) return loadTurns(parts, previousId, owner)
  return conversationId === undefined ? ok({ items: [] }) : loadConversation(parts, conversationId, owner)
}

function conversationIdOf(value: unknown): string | undefined {
  const id = isObject(value) ? value.id : value
  return typeof id === 'string' ? id : undefined
}

async function loadTurns({ store, bounds }: ContextParts, id: string, owner: ResponseOwner): Loaded<ResponseContext> {
  const turns: (readonly JsonObject[])[] = []
  let count = 0
  let bytes = 0
  let first: StoredResponse | undefined
  for (let next: string | undefined = id; next !== undefined; ) {
    const turn: StoredResponse | undefined = await store?.find(next, owner)
    if (!turn) return err({ type: 'previous-response-not-found', id: next })
    if (isRunning(turn) || turn.status === 'failed' || turn.status === 'cancelled') {
      return err({ type: 'previous-response-unfinished', id: next, status: turn.status })
    }
    first ??= turn
    const items = itemsOfTurn(turn).map(asContext).filter(isObject)
    count += items.length
    bytes += turn.bytes
    if (turns.push(items) > bounds.maxTurns || count > bounds.maxContextItems || bytes > bounds.maxContextBytes) {
      return err({ type: 'context-too-long', param: 'previous_response_id' })
    }
    next = turn.previousId
  }
  return ok({ ...(first && { previousId: first.id }), items: turns.toReversed().flat() })
}

async function loadConversation(
  { conversations, bounds, now }: ContextParts,
  id: string,
  owner: ResponseOwner,
): Loaded<ResponseContext> {
  if (!conversations) return err({ type: 'conversations-not-stored', param: 'conversation' })
  const found = isStorableId(id) && (await conversations.find(id as ConversationId, owner, now())) // has the form of an id
  if (!found) return err({ type: 'context-conversation-not-found', id })
  const limit = bounds.maxContextItems
  const listed = await conversations.listItems(found.id, { descending: false, limit })
  const bytes = listed.reduce((total, { item }) => total + byteLength(item), 0)
  if (listed.length >= limit || bytes > bounds.maxContextBytes) {
    return err({ type: 'context-too-long', param: 'conversation' })
  }
  const items = listed.map(({ item }) => asContext(parseObject(item))).filter(isObject)
  return ok({ conversationId: found.id, items })
}

/** The most different items that are looked up for one request. */
const MAX_REFERENCES = 1_000

/**
 * Replaces references to items by the items, where the caller has stored them. References of which none is stored stay,
 * so that an upstream with a store of its own resolves them.
 *
 * @returns `undefined` where nothing was replaced
 */
export async function resolveReferences(
  { store }: ContextParts,
  input: unknown,
  owner: ResponseOwner,
): Loaded<readonly unknown[] | undefined> {
  if (!Array.isArray(input)) return ok(undefined)
  const items: readonly unknown[] = input
  const ids = [...new Set(items.map(referenceOf).filter(isStorableId))]
  const found = new Map<string, JsonObject>()
  for (const id of ids.slice(0, MAX_REFERENCES)) {
    const item = await store?.findItem(id, owner)
    if (item) found.set(id, item)
  }
  if (found.size === 0) return ok(undefined)
  const missing = items.findIndex((item) => {
    const id = referenceOf(item)
    return id !== undefined && !found.has(id)
  })
  if (missing >= 0) {
    return err({ type: 'item-not-found', id: referenceOf(items[missing]) ?? '', param: `input[${missing}]` })
  }
  return ok(items.flatMap((item) => resolved(item, found)))
}

function resolved(item: unknown, found: ReadonlyMap<string, JsonObject>): readonly unknown[] {
  const stored = found.get(referenceOf(item) ?? '')
  if (!stored) return [item]
  const context = asContext(stored)
  return context ? [context] : []
}

/** Returns the id that an item refers to. OpenAI allows that the type is left out. */
function referenceOf(item: unknown): string | undefined {
  if (!isObject(item) || typeof item.id !== 'string') return undefined
  const isReference =
    item.type === 'item_reference' || (item.type == null && Object.keys(item).length <= 2 && !item.role)
  return isReference ? item.id : undefined
}
