import * as v from 'valibot'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { listOf, maybe, recordOf } from '../fields.ts'

const idSchema = v.pipe(v.string(), v.maxLength(128, 'must have at most 128 characters'))

export const responseParamsSchema = v.object({ response_id: idSchema })
export const conversationParamsSchema = v.object({ conversation_id: idSchema })
export const conversationItemParamsSchema = v.object({ conversation_id: idSchema, item_id: idSchema })

/** `starting_after` is the number of the last event that the client has got. It matters for streams only. */
export const responseQuerySchema = v.object({
  stream: v.exactOptional(v.picklist(['true', 'false'])),
  starting_after: v.exactOptional(
    v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be a whole number'), v.transform(Number)),
  ),
})

/** A page of items. Unknown parameters are ignored, such as `include`, since items are stored with all that they have. */
export const itemQuerySchema = v.object({
  limit: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, 'must be a whole number'),
      v.transform(Number),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(100, 'must be at most 100'),
    ),
    '20',
  ),
  order: v.exactOptional(v.picklist(['asc', 'desc']), 'desc'),
  after: v.exactOptional(idSchema),
  before: v.exactOptional(idSchema),
})

const item = v.pipe(
  recordOf(v.unknown(), 1024),
  v.check((value) => !isTooDeep(value), TOO_DEEP),
)

export const itemListSchema = v.pipe(
  v.object({
    object: v.literal('list'),
    data: v.array(v.record(v.string(), v.unknown())),
    first_id: v.nullable(v.string()),
    last_id: v.nullable(v.string()),
    has_more: v.boolean(),
  }),
  v.title('ItemList'),
)

export const storedResponseSchema = v.pipe(
  v.looseObject({
    id: v.string(),
    object: v.literal('response'),
    status: v.string(),
    model: v.string(),
    output: v.array(v.record(v.string(), v.unknown())),
  }),
  v.title('StoredResponse'),
)

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

export const conversationSchema = v.pipe(
  v.object({
    id: v.string(),
    object: v.literal('conversation'),
    /** Seconds since 1970. */
    created_at: v.number(),
    metadata: v.record(v.string(), v.string()),
  }),
  v.title('Conversation'),
)

export const deletedConversationSchema = v.object({
  id: v.string(),
  object: v.literal('conversation.deleted'),
  deleted: v.literal(true),
})
