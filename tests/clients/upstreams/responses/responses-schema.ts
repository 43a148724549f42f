import * as v from 'valibot'
import { object, toolName } from '../check-request.ts'

const idOf = (prefix: string) =>
  v.optional(v.nullable(v.pipe(v.string(), v.startsWith(prefix), v.maxLength(64), v.regex(/^[a-zA-Z0-9_-]+$/))))
const callId = v.pipe(v.string(), v.maxLength(64))
const status = v.optional(v.nullable(v.picklist(['in_progress', 'completed', 'incomplete'])))

const inputText = v.strictObject({ type: v.literal('input_text'), text: v.string() })
const inputImage = v.strictObject({
  type: v.literal('input_image'),
  image_url: v.optional(v.nullable(v.string())),
  file_id: v.optional(v.nullable(v.string())),
  detail: v.optional(v.nullable(v.picklist(['low', 'high', 'auto', 'original']))),
})
const inputFile = v.looseObject({ type: v.literal('input_file') })
const input = v.variant('type', [inputText, inputImage, inputFile])
const output = v.variant('type', [
  v.strictObject({
    type: v.literal('output_text'),
    text: v.string(),
    annotations: v.optional(v.array(object)),
    logprobs: v.optional(v.nullable(v.array(object))),
  }),
  v.strictObject({ type: v.literal('refusal'), refusal: v.string() }),
])

const messageType = v.optional(v.literal('message'))
const message = v.variant('role', [
  v.strictObject({
    type: messageType,
    id: idOf('msg'),
    status,
    role: v.picklist(['user', 'system', 'developer']),
    content: v.union([v.string(), v.array(input)]),
  }),
  v.strictObject({
    type: messageType,
    id: idOf('msg'),
    status,
    phase: v.optional(v.nullable(v.string())),
    role: v.literal('assistant'),
    content: v.union([v.string(), v.array(output)]),
  }),
])

const callOutput = v.union([v.string(), v.array(input)])
const item = v.variant('type', [
  v.strictObject({
    type: v.literal('function_call'),
    id: idOf('fc'),
    call_id: callId,
    name: toolName(128),
    namespace: v.optional(v.string()),
    arguments: v.string(),
    status,
  }),
  v.strictObject({
    type: v.literal('function_call_output'),
    id: idOf('fc'),
    call_id: callId,
    output: callOutput,
    status,
  }),
  v.strictObject({
    type: v.literal('custom_tool_call'),
    id: idOf('ctc'),
    call_id: callId,
    name: toolName(128),
    namespace: v.optional(v.string()),
    input: v.string(),
    status,
  }),
  v.strictObject({
    type: v.literal('custom_tool_call_output'),
    id: idOf('ctc'),
    call_id: callId,
    output: callOutput,
    status,
  }),
  v.strictObject({
    type: v.literal('reasoning'),
    id: idOf('rs'),
    summary: v.array(v.strictObject({ type: v.literal('summary_text'), text: v.string() })),
    content: v.optional(v.nullable(v.array(object))),
    encrypted_content: v.optional(v.nullable(v.string())),
    status,
  }),
  v.strictObject({ type: v.literal('item_reference'), id: v.string() }),
])

const functionTool = v.strictObject({
  type: v.literal('function'),
  name: toolName(128),
  description: v.optional(v.nullable(v.string())),
  parameters: v.optional(v.nullable(object)),
  strict: v.optional(v.nullable(v.boolean())),
  defer_loading: v.optional(v.boolean()),
})
const customTool = v.strictObject({
  type: v.literal('custom'),
  name: toolName(128),
  description: v.optional(v.string()),
  format: v.optional(object),
})
const namespaceTool = v.strictObject({
  type: v.literal('namespace'),
  name: toolName(128),
  description: v.optional(v.string()),
  tools: v.array(v.variant('type', [functionTool, customTool])),
})
const hostedTool = v.looseObject({
  type: v.picklist([
    ...(['web_search', 'web_search_preview', 'file_search', 'code_interpreter', 'image_generation'] as const),
    ...(['mcp', 'local_shell', 'shell', 'apply_patch', 'computer_use_preview', 'tool_search'] as const),
  ]),
})
export const responsesTool = v.variant('type', [functionTool, customTool, namespaceTool, hostedTool])

const optionalNumber = (least: number, most: number) =>
  v.optional(v.nullable(v.pipe(v.number(), v.minValue(least), v.maxValue(most))))
const flag = v.optional(v.nullable(v.boolean()))
const word = v.optional(v.nullable(v.string()))

/** What OpenAI's `/responses` takes. Any other field is refused, as OpenAI does. */
export const responsesSchema = v.strictObject({
  model: v.string(),
  input: v.optional(v.union([v.string(), v.array(v.union([item, message]))])),
  instructions: word,
  tools: v.optional(v.array(responsesTool)),
  tool_choice: v.optional(
    v.union([
      v.picklist(['none', 'auto', 'required']),
      v.looseObject({ type: v.string(), name: v.optional(v.string()) }),
    ]),
  ),
  text: v.optional(
    v.strictObject({
      format: v.optional(
        v.variant('type', [
          v.strictObject({ type: v.literal('text') }),
          v.strictObject({ type: v.literal('json_object') }),
          v.strictObject({
            type: v.literal('json_schema'),
            name: toolName(64),
            description: v.optional(v.string()),
            schema: object,
            strict: flag,
          }),
        ]),
      ),
      verbosity: v.optional(v.nullable(v.picklist(['low', 'medium', 'high']))),
    }),
  ),
  reasoning: v.optional(
    v.nullable(v.strictObject({ effort: word, summary: word, generate_summary: word, context: word })),
  ),
  include: v.optional(v.nullable(v.array(v.string()))),
  metadata: v.optional(v.nullable(v.record(v.string(), v.pipe(v.string(), v.maxLength(512))))),
  client_metadata: v.optional(v.nullable(v.record(v.string(), v.string()))),
  stream_options: v.optional(v.nullable(v.strictObject({ include_obfuscation: v.optional(v.boolean()) }))),
  conversation: v.optional(v.nullable(v.union([v.string(), object]))),
  context_management: v.optional(v.nullable(v.array(object))),
  prompt: v.optional(v.nullable(object)),
  max_output_tokens: optionalNumber(16, 1e6),
  max_tool_calls: optionalNumber(1, 1e6),
  temperature: optionalNumber(0, 2),
  top_p: optionalNumber(0, 1),
  top_logprobs: optionalNumber(0, 20),
  prompt_cache_key: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(64)))),
  safety_identifier: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(64)))),
  background: flag,
  parallel_tool_calls: flag,
  store: flag,
  stream: flag,
  previous_response_id: word,
  prompt_cache_retention: word,
  service_tier: word,
  truncation: word,
  user: word,
})

export type ResponsesRequest = v.InferOutput<typeof responsesSchema>
