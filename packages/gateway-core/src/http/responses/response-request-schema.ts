import * as v from 'valibot'
import { wholeWithin } from '../../bounds.ts'
import { MAX_MESSAGES, numberSchemas, outputTokensSchema } from '../../chat/chat-bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { listOf, maybe, recordOf, type SchemaOf } from '../fields.ts'
import { inputItemSchema } from './input-item-schema.ts'

/** The limit for lists that usually have some tens of items. */
const MOST = 1024

/** The most characters of an id of a response or a conversation. */
const MAX_ID = 512

const id = v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(MAX_ID))

const items = listOf(inputItemSchema, MAX_MESSAGES)
const textOrItems = v.union([v.string(), items], 'must be a string or an array of items')

/** Selects one schema by the input, so that an issue names the wrong item. */
const input = v.lazy((value) => (Array.isArray(value) ? items : textOrItems))

const typed = v.looseObject({ type: v.string() })

const tool = v.looseObject({ type: v.string(), name: maybe(v.string()), tools: maybe(listOf(typed, MOST)) })

const metadata = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(64)), v.pipe(v.string(), v.maxLength(512))),
  v.maxEntries(16, 'must have at most 16 entries'),
)

const format = v.looseObject({
  type: v.string(),
  name: maybe(v.string()),
  schema: maybe(recordOf(v.unknown(), MOST)),
  strict: maybe(v.boolean()),
})

const reasoning = v.looseObject({
  effort: maybe(v.string()),
  summary: maybe(v.string()),
  generate_summary: maybe(v.string()),
})

const responseRequest = v.looseObject({
  model: modelSchema,
  input: maybe(input),
  instructions: maybe(input),
  stream: maybe(v.boolean()),
  stream_options: maybe(v.looseObject({ include_obfuscation: maybe(v.boolean()) })),
  timeout: maybe(timeoutSchema),
  previous_response_id: maybe(id),
  conversation: maybe(v.union([id, v.looseObject({ id })], 'must be an id or an object with an id')),
  background: maybe(v.boolean()),
  store: maybe(v.boolean()),
  tools: maybe(listOf(tool, MOST)),
  tool_choice: maybe(v.union([v.string(), typed], 'must be a string or an object with a type')),
  parallel_tool_calls: maybe(v.boolean()),
  max_tool_calls: maybe(wholeWithin(0, Number.MAX_SAFE_INTEGER)),
  max_output_tokens: maybe(outputTokensSchema),
  temperature: maybe(numberSchemas.temperature),
  top_p: maybe(numberSchemas.top_p),
  top_logprobs: maybe(numberSchemas.top_logprobs),
  text: maybe(v.looseObject({ format: maybe(format), verbosity: maybe(v.string()) })),
  reasoning: maybe(reasoning),
  include: maybe(listOf(v.string(), MOST)),
  truncation: maybe(v.string()),
  prompt: maybe(recordOf(v.unknown(), MOST)),
  metadata: maybe(metadata),
  user: maybe(v.string()),
  safety_identifier: maybe(v.string()),
  prompt_cache_key: maybe(v.string()),
  prompt_cache_retention: maybe(v.string()),
  service_tier: maybe(v.string()),
})

export interface ResponseRequestSchema extends SchemaOf<typeof responseRequest> {}

/** A request for a response. Known fields are validated, and unknown ones are passed to the upstream. `timeout` is the gateway's own. */
export const responseRequestSchema: ResponseRequestSchema = v.pipe(
  responseRequest,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)
