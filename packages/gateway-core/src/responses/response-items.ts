import { isObject } from '../chat/is-object.ts'
import type { JsonObject } from '../dialects/dialect.ts'

/** An item of an input or an output, with its id. */
export type StoredItem = JsonObject & { readonly id: string }

/** Creates an id of 48 hexadecimal digits after a prefix, of which 180 bits are random. */
export const randomId = (prefix: string): string =>
  `${prefix}_${`${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '').slice(0, 48)}`

/** The ids that stores accept: also those of upstreams. */
const STORABLE_ID = /^[\w.:~-]{1,128}$/

export const isStorableId = (id: unknown): id is string => typeof id === 'string' && STORABLE_ID.test(id)

/** Returns the items of an input, each with an id and a type, messages with a status and their texts as lists of parts. */
export function inputItems(input: unknown): readonly StoredItem[] {
  if (typeof input === 'string') return [withId({ type: 'message', role: 'user', content: input })]
  return Array.isArray(input) ? input.filter(isObject).map(withId) : []
}

function withId(item: JsonObject): StoredItem {
  const type = typeof item.type === 'string' ? item.type : 'message'
  const id = isStorableId(item.id) ? item.id : randomId(prefixes.get(type) ?? 'item')
  return {
    ...item,
    ...(type === 'message' && { content: partsOf(item), status: item.status ?? 'completed' }),
    type,
    id,
  }
}

const prefixes: ReadonlyMap<string, string> = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctco'],
])

function partsOf({ role, content }: JsonObject): unknown {
  if (typeof content !== 'string') return content
  return role === 'assistant'
    ? [{ type: 'output_text', text: content, annotations: [] }]
    : [{ type: 'input_text', text: content }]
}

/** Returns the items of a response's output that have ids. */
export const outputItems = (response: JsonObject): readonly StoredItem[] =>
  Array.isArray(response.output) ? response.output.filter(isObject).map(withId) : []

/** Returns the ids by which later requests may refer to the items of an output. */
export const outputIds = (response: JsonObject): readonly string[] =>
  outputItems(response)
    .slice(0, MAX_REFERABLE)
    .map(({ id }) => id)

const MAX_REFERABLE = 1_000

/**
 * Returns a stored item as an upstream takes it that has not stored it. Reasoning without content of its own only refers
 * to what the upstream would have stored, so it is left out.
 */
export function asContext(item: JsonObject): JsonObject | undefined {
  const { id: _, status: __, ...rest } = item
  if (item.type === 'reasoning') return isReadable(item) ? item : undefined
  return typeof item.type === 'string' && WITHOUT_ID.has(item.type) ? rest : item
}

const WITHOUT_ID: ReadonlySet<string> = new Set([
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
])

const isReadable = ({ encrypted_content, content }: JsonObject): boolean =>
  typeof encrypted_content === 'string' || (Array.isArray(content) && content.length > 0)
