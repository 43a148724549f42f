import * as v from 'valibot'
import { object, toolName } from '../check-request.ts'

const cacheControl = v.optional(
  v.nullable(
    v.strictObject({
      type: v.literal('ephemeral'),
      ttl: v.optional(v.picklist(['5m', '1h'])),
      scope: v.optional(v.string()),
    }),
  ),
)
const toolUseId = v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_-]+$/))
const nonEmpty = v.pipe(v.string(), v.minLength(1, 'text content blocks must be non-empty'))

const textBlock = v.strictObject({
  type: v.literal('text'),
  text: nonEmpty,
  cache_control: cacheControl,
  citations: v.optional(v.nullable(v.array(object))),
})
const imageBlock = v.strictObject({
  type: v.literal('image'),
  source: v.variant('type', [
    v.strictObject({
      type: v.literal('base64'),
      media_type: v.picklist(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: v.pipe(v.string(), v.minLength(1)),
    }),
    v.strictObject({ type: v.literal('url'), url: v.string() }),
    v.strictObject({ type: v.literal('file'), file_id: v.string() }),
  ]),
  cache_control: cacheControl,
})
const documentBlock = v.strictObject({
  type: v.literal('document'),
  source: object,
  title: v.optional(v.nullable(v.string())),
  context: v.optional(v.nullable(v.string())),
  citations: v.optional(v.nullable(object)),
  cache_control: cacheControl,
})
const toolResultBlock = v.strictObject({
  type: v.literal('tool_result'),
  tool_use_id: toolUseId,
  content: v.optional(v.union([v.string(), v.array(v.variant('type', [textBlock, imageBlock, documentBlock]))])),
  is_error: v.optional(v.boolean()),
  cache_control: cacheControl,
})
const toolUseBlock = v.strictObject({
  type: v.literal('tool_use'),
  id: toolUseId,
  name: toolName(200),
  input: object,
  caller: v.optional(object),
  cache_control: cacheControl,
})
const thinkingBlock = v.strictObject({ type: v.literal('thinking'), thinking: v.string(), signature: v.string() })
const redactedBlock = v.strictObject({ type: v.literal('redacted_thinking'), data: v.string() })

const userBlock = v.variant('type', [textBlock, imageBlock, documentBlock, toolResultBlock])
const assistantBlock = v.variant('type', [textBlock, toolUseBlock, thinkingBlock, redactedBlock])

const message = v.variant('role', [
  v.strictObject({ role: v.literal('user'), content: v.union([nonEmpty, v.array(userBlock)]) }),
  v.strictObject({ role: v.literal('assistant'), content: v.union([nonEmpty, v.array(assistantBlock)]) }),
  v.strictObject({ role: v.literal('system'), content: v.union([nonEmpty, v.array(textBlock)]) }),
])

const customTool = v.strictObject({
  type: v.optional(v.nullable(v.literal('custom'))),
  name: toolName(128),
  description: v.optional(v.string()),
  input_schema: v.looseObject({ type: v.literal('object') }),
  strict: v.optional(v.boolean()),
  defer_loading: v.optional(v.boolean()),
  eager_input_streaming: v.optional(v.nullable(v.boolean())),
  input_examples: v.optional(v.array(object)),
  allowed_callers: v.optional(v.array(v.string())),
  cache_control: cacheControl,
})
const serverTool = v.looseObject({ type: v.pipe(v.string(), v.regex(/^[a-z_]+_\d{8}$/)), name: v.string() })

const disable = { disable_parallel_tool_use: v.optional(v.boolean()) }

const fields = {
  model: v.string(),
  messages: v.pipe(v.array(message), v.minLength(1)),
  system: v.optional(v.union([v.string(), v.array(textBlock)])),
  tools: v.optional(v.array(v.union([customTool, serverTool]))),
  tool_choice: v.optional(
    v.variant('type', [
      v.strictObject({ type: v.literal('auto'), ...disable }),
      v.strictObject({ type: v.literal('any'), ...disable }),
      v.strictObject({ type: v.literal('tool'), name: v.string(), ...disable }),
      v.strictObject({ type: v.literal('none') }),
    ]),
  ),
  thinking: v.optional(
    v.variant('type', [
      v.strictObject({
        type: v.literal('enabled'),
        budget_tokens: v.pipe(v.number(), v.integer(), v.minValue(1024)),
        display: v.optional(v.nullable(v.string())),
      }),
      v.strictObject({ type: v.literal('adaptive'), display: v.optional(v.nullable(v.string())) }),
      v.strictObject({ type: v.literal('disabled') }),
    ]),
  ),
  output_config: v.optional(
    v.strictObject({
      effort: v.optional(v.nullable(v.picklist(['low', 'medium', 'high', 'xhigh', 'max']))),
      format: v.optional(v.nullable(v.strictObject({ type: v.literal('json_schema'), schema: object }))),
      task_budget: v.optional(v.nullable(object)),
    }),
  ),
  output_format: v.optional(v.nullable(v.strictObject({ type: v.literal('json_schema'), schema: object }))),
  context_management: v.optional(v.nullable(object)),
  cache_control: cacheControl,
  mcp_servers: v.optional(v.array(object)),
}

/** What `/v1/messages/count_tokens` takes. */
export const countSchema = v.strictObject(fields)

/** What `/v1/messages` takes. Any other field is refused, as Anthropic does. */
export const messagesSchema = v.strictObject({
  ...fields,
  max_tokens: v.pipe(v.number('Field required'), v.integer(), v.minValue(1)),
  metadata: v.optional(v.strictObject({ user_id: v.optional(v.nullable(v.string())) })),
  stop_sequences: v.optional(v.array(v.pipe(v.string(), v.regex(/\S/)))),
  stream: v.optional(v.boolean()),
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  top_p: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  top_k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  service_tier: v.optional(v.picklist(['auto', 'standard_only'])),
  container: v.optional(v.nullable(v.union([v.string(), object]))),
})

export type CountRequest = v.InferOutput<typeof countSchema>
export type MessagesRequest = v.InferOutput<typeof messagesSchema>
