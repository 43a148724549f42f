import * as v from 'valibot'
import { within } from '../../bounds.ts'
import { choicesSchema, MAX_MESSAGES, numberSchemas, outputTokensSchema } from '../../chat/chat-bounds.ts'
import { isObject } from '../../chat/is-object.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { type ListOf, listOf, maybe, recordOf, type SchemaOf } from '../fields.ts'
import { byType } from './by-type.ts'
import { type MessageSchema, messageSchema } from './message-schema.ts'

/** The limit for lists that usually have some tens of items. */
const MOST = 1024

const anyObject = recordOf(v.unknown(), MOST)

const functionDefinition = v.looseObject({
  name: v.pipe(v.string(), v.minLength(1, 'must not be empty')),
  description: maybe(v.string()),
  parameters: maybe(anyObject),
  strict: maybe(v.boolean()),
})

const typedTool = byType([
  v.looseObject({ type: v.literal('function'), function: functionDefinition }),
  v.looseObject({ type: v.literal('custom'), custom: v.looseObject({ name: v.string() }) }),
])

interface ToolSchema extends SchemaOf<typeof typedTool> {}

const tool: ToolSchema = v.pipe(typedTool, v.title('ChatTool'))

const named = v.looseObject({ name: v.string() })

const toolMode = v.picklist(['none', 'auto', 'required', 'any'])
const chosenTool = byType([
  v.looseObject({ type: v.literal('function'), function: named }),
  v.looseObject({ type: v.literal('custom'), custom: named }),
  v.looseObject({ type: v.literal('allowed_tools'), allowed_tools: anyObject }),
])
const anyChoice = v.union(
  [toolMode, chosenTool],
  "must be 'none', 'auto', 'required', 'any' or an object that names a tool",
)

interface ToolChoiceSchema extends SchemaOf<typeof anyChoice> {}

const toolChoice: ToolChoiceSchema = v.pipe(
  v.lazy((input) => (isObject(input) ? chosenTool : anyChoice)),
  v.title('ToolChoice'),
)

const responseFormat = v.pipe(
  byType([
    v.looseObject({ type: v.literal('text') }),
    v.looseObject({ type: v.literal('json_object') }),
    v.looseObject({
      type: v.literal('json_schema'),
      json_schema: v.looseObject({
        name: v.string(),
        description: maybe(v.string()),
        schema: maybe(anyObject),
        strict: maybe(v.boolean()),
      }),
    }),
  ]),
  v.title('ResponseFormat'),
)

const stop = v.union(
  [v.string(), v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MOST))],
  `must be a string or one to ${MOST} strings`,
)

const metadata = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(64)), v.pipe(v.string(), v.maxLength(512))),
  v.maxEntries(16, 'must have at most 16 entries'),
)

const messages: ListOf<MessageSchema> = v.pipe(
  listOf(messageSchema, MAX_MESSAGES),
  v.minLength(1, 'must have at least one message'),
)

const chatRequest = v.looseObject({
  model: modelSchema,
  messages,
  stream: maybe(v.boolean()),
  stream_options: maybe(v.looseObject({ include_usage: maybe(v.boolean()) })),
  timeout: maybe(timeoutSchema),
  temperature: maybe(numberSchemas.temperature),
  top_p: maybe(numberSchemas.top_p),
  n: maybe(choicesSchema),
  stop: maybe(stop),
  max_tokens: maybe(outputTokensSchema),
  max_completion_tokens: maybe(outputTokensSchema),
  presence_penalty: maybe(numberSchemas.presence_penalty),
  frequency_penalty: maybe(numberSchemas.frequency_penalty),
  logit_bias: maybe(recordOf(within(-100, 100), 10_000)),
  logprobs: maybe(v.boolean()),
  top_logprobs: maybe(numberSchemas.top_logprobs),
  seed: maybe(numberSchemas.seed),
  response_format: maybe(responseFormat),
  tools: maybe(listOf(tool, MOST)),
  tool_choice: maybe(toolChoice),
  parallel_tool_calls: maybe(v.boolean()),
  functions: maybe(v.pipe(v.array(functionDefinition), v.minLength(1), v.maxLength(128))),
  function_call: maybe(v.union([v.picklist(['none', 'auto']), named])),
  reasoning_effort: maybe(v.string()),
  verbosity: maybe(v.string()),
  modalities: maybe(listOf(v.string(), MOST)),
  audio: maybe(v.looseObject({ format: v.string() })),
  prediction: maybe(v.looseObject({ type: v.string() })),
  web_search_options: maybe(anyObject),
  service_tier: maybe(v.string()),
  store: maybe(v.boolean()),
  metadata: maybe(metadata),
  user: maybe(v.string()),
  safety_identifier: maybe(v.string()),
  prompt_cache_key: maybe(v.string()),
})

export interface ChatRequestSchema extends SchemaOf<typeof chatRequest> {}

/** A chat request. Known fields are validated, and unknown ones are passed to the upstream. `timeout` is the gateway's own. */
export const chatRequestSchema: ChatRequestSchema = v.pipe(
  chatRequest,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
  v.forward(
    v.check(
      ({ stream, stream_options }) => !stream_options || stream === true,
      "is only allowed when 'stream' is true",
    ),
    ['stream_options'],
  ),
  v.forward(
    v.check(
      ({ logprobs, top_logprobs }) => typeof top_logprobs !== 'number' || logprobs === true,
      "is only allowed when 'logprobs' is true",
    ),
    ['top_logprobs'],
  ),
)
