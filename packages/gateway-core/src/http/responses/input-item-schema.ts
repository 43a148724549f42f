import * as v from 'valibot'
import { isObject } from '../../chat/is-object.ts'
import { listOf, maybe, type SchemaOf } from '../fields.ts'

/** The limit of parts in one item. */
const MOST_PARTS = 10_000

const part = v.looseObject({ type: v.string() })
const parts = listOf(part, MOST_PARTS)
const textOrParts = v.union([v.string(), parts], 'must be a string or an array of content parts')

interface ContentSchema extends SchemaOf<typeof textOrParts> {}

/** Selects one schema by the input, so that an issue names the wrong part. */
const content: ContentSchema = v.pipe(
  v.lazy((input) => (Array.isArray(input) ? parts : textOrParts)),
  v.title('ResponseContent'),
)

const text = v.looseObject({ type: v.string(), text: v.string() })

const message = v.looseObject({ role: v.string(), content })
const functionCall = v.looseObject({ call_id: v.string(), name: v.string(), arguments: v.string() })
const customCall = v.looseObject({ call_id: v.string(), name: v.string(), input: v.string() })
const output = v.looseObject({ call_id: v.string(), output: content })
const reasoning = v.looseObject({
  summary: maybe(listOf(text, MOST_PARTS)),
  content: maybe(listOf(text, MOST_PARTS)),
  encrypted_content: maybe(v.string()),
})
const reference = v.looseObject({ id: v.string() })

/** An item that upstreams of responses know, and other ones might not. */
const other = v.looseObject({ type: v.string() })

type ItemSchema =
  | typeof message
  | typeof functionCall
  | typeof customCall
  | typeof output
  | typeof reasoning
  | typeof reference
  | typeof other

const byType = new Map<unknown, ItemSchema>([
  ['message', message],
  ['function_call', functionCall],
  ['custom_tool_call', customCall],
  ['function_call_output', output],
  ['custom_tool_call_output', output],
  ['reasoning', reasoning],
  ['item_reference', reference],
])

function schemaOf(item: unknown): ItemSchema {
  if (!isObject(item)) return other
  if (item.type !== undefined && item.type !== null) return byType.get(item.type) ?? other
  return item.role === undefined ? reference : message
}

export interface InputItemSchema extends SchemaOf<ItemSchema> {}

/** An item of a conversation. Its type selects the schema, so that no other one is tried. */
export const inputItemSchema: InputItemSchema = v.pipe(v.lazy(schemaOf), v.title('ResponseInputItem'))
