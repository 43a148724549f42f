import * as v from 'valibot'
import { wholeTextWithin } from '../../bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { listOf, maybe, recordOf, type SchemaOf } from '../fields.ts'

const idSchema = v.pipe(v.string(), v.maxLength(128, 'must have at most 128 characters'))

export const responseParamsSchema = v.object({ response_id: idSchema })
export const conversationParamsSchema = v.object({ conversation_id: idSchema })
export const conversationItemParamsSchema = v.object({ conversation_id: idSchema, item_id: idSchema })

/** `starting_after` is the number of the last event that the client has got. It matters for streams only. */
export const responseQuerySchema = v.object({
  stream: v.exactOptional(v.picklist(['true', 'false'])),
  starting_after: v.exactOptional(wholeTextWithin(0, 999_999_999_999_999)),
})

const itemQuery = v.object({
  limit: v.exactOptional(wholeTextWithin(1, 100), '20'),
  order: v.exactOptional(v.picklist(['asc', 'desc']), 'desc'),
  after: v.exactOptional(idSchema),
  before: v.exactOptional(idSchema),
})

export interface ItemQuerySchema extends SchemaOf<typeof itemQuery> {}

/** A page of items. Unknown parameters are ignored, such as `include`, since items are stored with all that they have. */
export const itemQuerySchema: ItemQuerySchema = itemQuery

const item = v.pipe(
  recordOf(v.unknown(), 1024),
  v.check((value) => !isTooDeep(value), TOO_DEEP),
)

const itemList = v.object({
  object: v.literal('list'),
  data: v.array(v.record(v.string(), v.unknown())),
  first_id: v.nullable(v.string()),
  last_id: v.nullable(v.string()),
  has_more: v.boolean(),
})

export interface ItemListSchema extends SchemaOf<typeof itemList> {}

export const itemListSchema: ItemListSchema = v.pipe(itemList, v.title('ItemList'))

const storedResponse = v.looseObject({
  id: v.string(),
  object: v.literal('response'),
  status: v.string(),
  model: v.string(),
  output: v.array(v.record(v.string(), v.unknown())),
})

export interface StoredResponseSchema extends SchemaOf<typeof storedResponse> {}

export const storedResponseSchema: StoredResponseSchema = v.pipe(storedResponse, v.title('StoredResponse'))

/** An item of a conversation as it was stored. */
export const itemSchema = v.pipe(v.looseObject({ id: v.string(), type: v.string() }), v.title('Item'))

export const deletedResponseSchema = v.object({
  id: v.string(),
  object: v.literal('response'),
  deleted: v.literal(true),
})

const name = v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters'))
const value = v.pipe(v.string(), v.maxLength(512, 'must have at most 512 characters'))
const metadata = v.pipe(v.record(name, value), v.maxEntries(16, 'must have at most 16 entries'))

const MAX_NEW_ITEMS = 20

export const newConversationSchema = v.strictObject({
  metadata: maybe(metadata),
  items: maybe(listOf(item, MAX_NEW_ITEMS)),
})

export const conversationChangeSchema = v.strictObject({ metadata: v.nullable(metadata) })

export const newItemsSchema = v.strictObject({ items: listOf(item, MAX_NEW_ITEMS) })

const conversation = v.object({
  id: v.string(),
  object: v.literal('conversation'),
  /** Seconds since 1970. */
  created_at: v.number(),
  metadata: v.record(v.string(), v.string()),
})

export interface ConversationSchema extends SchemaOf<typeof conversation> {}

export const conversationSchema: ConversationSchema = v.pipe(conversation, v.title('Conversation'))

export const deletedConversationSchema = v.object({
  id: v.string(),
  object: v.literal('conversation.deleted'),
  deleted: v.literal(true),
})
