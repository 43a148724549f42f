import type { Dialect, JsonObject } from '@trivium/gateway-core/ports'

/** An answer with a text and a call of a tool, as an upstream of one dialect sends it. */
export interface DialectScript {
  /** The path of the operation, of upstreams and of the gateway. */
  readonly path: string
  /** A request for the answer. */
  readonly request: JsonObject
  readonly answer: JsonObject
  /** The same answer as events, each with its blank line. */
  readonly events: readonly string[]
  /** An error event. */
  readonly error: string
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const named = (value: JsonObject & { readonly type: string }) => `event: ${value.type}\n${data(value)}`

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const ARGUMENTS = '{"city":"Paris"}'

const chunk = (delta: JsonObject, finish: string | null = null) =>
  data({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'big-2026',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })

const chatUsage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }

const chat: DialectScript = {
  path: '/v1/chat/completions',
  request: {
    messages: [{ role: 'user', content: 'The weather in Paris?' }],
    tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
  },
  answer: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'big-2026',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'I look it up.',
          refusal: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: ARGUMENTS } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: chatUsage,
  },
  events: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'I look ' }),
    chunk({ content: 'it up.' }),
    chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] }),
    chunk({}, 'tool_calls'),
    data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'big-2026',
      choices: [],
      usage: chatUsage,
    }),
    'data: [DONE]\n\n',
  ],
  error: data({ error: { message: 'Busy today', type: 'server_error', code: 'server_error' } }),
}

const responseMessage = {
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'I look it up.', annotations: [] }],
}
const responseCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'weather',
  arguments: ARGUMENTS,
  status: 'completed',
}
const response = (status: string, output: readonly unknown[], usage: unknown) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'big-2026',
  status,
  output,
  error: null,
  incomplete_details: null,
  usage,
})
const responsesUsage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 14,
}
const whole = response('completed', [responseMessage, responseCall], responsesUsage)
const part = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const call = { item_id: 'fc_1', output_index: 1 }

const responses: DialectScript = {
  path: '/v1/responses',
  request: { input: 'The weather in Paris?', tools: [{ type: 'function', name: 'weather', parameters: schema }] },
  answer: whole,
  events: [
    { type: 'response.created', response: response('in_progress', [], null) },
    { type: 'response.in_progress', response: response('in_progress', [], null) },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...responseMessage, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...part, part: { type: 'output_text', text: '', annotations: [] } },
    { type: 'response.output_text.delta', ...part, delta: 'I look ' },
    { type: 'response.output_text.delta', ...part, delta: 'it up.' },
    { type: 'response.output_text.done', ...part, text: 'I look it up.' },
    { type: 'response.content_part.done', ...part, part: responseMessage.content[0] },
    { type: 'response.output_item.done', output_index: 0, item: responseMessage },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { ...responseCall, arguments: '', status: 'in_progress' },
    },
    { type: 'response.function_call_arguments.delta', ...call, delta: '{"city":' },
    { type: 'response.function_call_arguments.delta', ...call, delta: '"Paris"}' },
    { type: 'response.function_call_arguments.done', ...call, arguments: ARGUMENTS },
    { type: 'response.output_item.done', output_index: 1, item: responseCall },
    { type: 'response.completed', response: whole },
  ].map((event, index) => named({ ...event, sequence_number: index })),
  error: named({ type: 'error', code: 'server_error', message: 'Busy today', param: null, sequence_number: 3 }),
}

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'big-2026',
  content: [
    { type: 'text', text: 'I look it up.' },
    { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 5 },
}

const messages: DialectScript = {
  path: '/v1/messages',
  request: {
    max_tokens: 200,
    messages: [{ role: 'user', content: 'The weather in Paris?' }],
    tools: [{ name: 'weather', input_schema: schema }],
  },
  answer: message,
  events: [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { input_tokens: 9, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'it up.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'call_1', name: 'weather', input: {} },
    },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"city":' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"Paris"}' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ].map(named),
  error: named({ type: 'error', error: { type: 'api_error', message: 'Busy today' } }),
}

export const scripts: Readonly<Record<Dialect, DialectScript>> = { chat, responses, messages }
export const dialects: readonly Dialect[] = ['chat', 'responses', 'messages']
