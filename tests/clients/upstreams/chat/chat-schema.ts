import * as v from 'valibot'
import { object, toolName } from '../check-request.ts'

const textPart = v.strictObject({ type: v.literal('text'), text: v.string() })
const text = v.union([v.string(), v.array(textPart)])
const imagePart = v.strictObject({
  type: v.literal('image_url'),
  image_url: v.strictObject({ url: v.string(), detail: v.optional(v.picklist(['auto', 'low', 'high'])) }),
})
const otherPart = v.variant('type', [
  v.strictObject({ type: v.literal('input_audio'), input_audio: object }),
  v.strictObject({ type: v.literal('file'), file: object }),
])
const name = v.optional(v.string())

/** OpenAI refuses longer ids of calls. */
const callId = v.pipe(v.string(), v.maxLength(40))

const toolCall = v.variant('type', [
  v.strictObject({
    id: callId,
    type: v.literal('function'),
    function: v.strictObject({ name: toolName(64), arguments: v.string() }),
  }),
  v.strictObject({
    id: callId,
    type: v.literal('custom'),
    custom: v.strictObject({ name: toolName(64), input: v.string() }),
  }),
])

const message = v.variant('role', [
  v.strictObject({ role: v.picklist(['system', 'developer']), content: text, name }),
  v.strictObject({
    role: v.literal('user'),
    content: v.union([v.string(), v.array(v.union([textPart, imagePart, otherPart]))]),
    name,
  }),
  v.strictObject({
    role: v.literal('assistant'),
    content: v.optional(v.nullable(text)),
    refusal: v.optional(v.nullable(v.string())),
    tool_calls: v.optional(v.pipe(v.array(toolCall), v.minLength(1))),
    audio: v.optional(v.nullable(object)),
    annotations: v.optional(v.array(object)),
    name,
  }),
  v.strictObject({ role: v.literal('tool'), content: text, tool_call_id: callId, name }),
])

const tool = v.variant('type', [
  v.strictObject({
    type: v.literal('function'),
    function: v.strictObject({
      name: toolName(64),
      description: v.optional(v.string()),
      parameters: v.optional(v.looseObject({ type: v.literal('object') })),
      strict: v.optional(v.nullable(v.boolean())),
    }),
  }),
  v.strictObject({
    type: v.literal('custom'),
    custom: v.strictObject({ name: toolName(64), description: v.optional(v.string()), format: v.optional(object) }),
  }),
])

const toolChoice = v.union([
  v.picklist(['none', 'auto', 'required']),
  v.strictObject({ type: v.literal('function'), function: v.strictObject({ name: v.string() }) }),
  v.strictObject({ type: v.literal('custom'), custom: v.strictObject({ name: v.string() }) }),
  v.strictObject({ type: v.literal('allowed_tools'), allowed_tools: object }),
])

const responseFormat = v.variant('type', [
  v.strictObject({ type: v.literal('text') }),
  v.strictObject({ type: v.literal('json_object') }),
  v.strictObject({
    type: v.literal('json_schema'),
    json_schema: v.strictObject({
      name: toolName(64),
      description: v.optional(v.string()),
      schema: v.optional(object),
      strict: v.optional(v.nullable(v.boolean())),
    }),
  }),
])

const optionalNumber = (least: number, most: number) =>
  v.optional(v.nullable(v.pipe(v.number(), v.minValue(least), v.maxValue(most))))

/** What OpenAI's `/chat/completions` takes. Any other field is refused, as OpenAI does. */
export const chatSchema = v.strictObject({
  model: v.string(),
  messages: v.pipe(v.array(message), v.minLength(1)),
  tools: v.optional(v.pipe(v.array(tool), v.minLength(1), v.maxLength(128))),
  tool_choice: v.optional(toolChoice),
  parallel_tool_calls: v.optional(v.boolean()),
  response_format: v.optional(responseFormat),
  stream: v.optional(v.nullable(v.boolean())),
  stream_options: v.optional(
    v.nullable(
      v.strictObject({ include_usage: v.optional(v.boolean()), include_obfuscation: v.optional(v.boolean()) }),
    ),
  ),
  max_tokens: optionalNumber(1, 1e6),
  max_completion_tokens: optionalNumber(1, 1e6),
  temperature: optionalNumber(0, 2),
  top_p: optionalNumber(0, 1),
  n: optionalNumber(1, 128),
  presence_penalty: optionalNumber(-2, 2),
  frequency_penalty: optionalNumber(-2, 2),
  top_logprobs: optionalNumber(0, 20),
  logprobs: v.optional(v.nullable(v.boolean())),
  logit_bias: v.optional(v.nullable(object)),
  seed: v.optional(v.nullable(v.number())),
  stop: v.optional(v.nullable(v.union([v.string(), v.pipe(v.array(v.string()), v.maxLength(4))]))),
  reasoning_effort: v.optional(v.nullable(v.picklist(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']))),
  verbosity: v.optional(v.nullable(v.picklist(['low', 'medium', 'high']))),
  store: v.optional(v.nullable(v.boolean())),
  metadata: v.optional(v.nullable(v.record(v.string(), v.pipe(v.string(), v.maxLength(512))))),
  user: v.optional(v.string()),
  safety_identifier: v.optional(v.pipe(v.string(), v.maxLength(64))),
  prompt_cache_key: v.optional(v.pipe(v.string(), v.maxLength(64))),
  prompt_cache_retention: v.optional(v.nullable(v.string())),
  service_tier: v.optional(v.nullable(v.string())),
  modalities: v.optional(v.nullable(v.array(v.string()))),
  audio: v.optional(v.nullable(object)),
  prediction: v.optional(v.nullable(object)),
  web_search_options: v.optional(object),
})

export type ChatRequest = v.InferOutput<typeof chatSchema>
