import type { Dialect, JsonObject } from '@trivium/gateway-core/ports'

/** An answer with a text and the arguments of a call, as pieces. */
export interface ScriptedAnswer {
  readonly text: readonly string[]
  readonly input: readonly string[]
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const named = (value: JsonObject & { readonly type: string }) => `event: ${value.type}\n${data(value)}`
const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }

function chatEvents({ text, input }: ScriptedAnswer): readonly string[] {
  const chunk = (delta: JsonObject, reason: string | null = null) =>
    data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'big-2026',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'save', arguments: '' } }
  return [
    chunk({ role: 'assistant', content: '' }),
    ...text.map((content) => chunk({ content })),
    chunk({ tool_calls: [call] }),
    ...input.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    chunk({}, 'tool_calls'),
    data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'big-2026',
      choices: [],
      usage,
    }),
    'data: [DONE]\n\n',
  ]
}

function messageEvents({ text, input }: ScriptedAnswer): readonly string[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'big-2026', content: [], stop_reason: null }
  return [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 9, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...text.map((piece) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'call_1', name: 'save', input: {} },
    },
    ...input.map((piece) => ({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: piece },
    })),
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ].map(named)
}

function responseEvents(answer: ScriptedAnswer): readonly string[] {
  const { text, input } = answer
  const whole = wholeResponse(answer)
  const [message, call] = whole.output
  const head = { ...whole, status: 'in_progress', output: [], usage: null }
  const part = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const ofCall = { item_id: 'fc_1', output_index: 1 }
  return [
    { type: 'response.created', response: head },
    { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [], status: 'in_progress' } },
    { type: 'response.content_part.added', ...part, part: { type: 'output_text', text: '', annotations: [] } },
    ...text.map((delta) => ({ type: 'response.output_text.delta', ...part, delta, logprobs: [{ token: delta }] })),
    { type: 'response.output_text.done', ...part, text: text.join('') },
    {
      type: 'response.content_part.done',
      ...part,
      part: { type: 'output_text', text: text.join(''), annotations: [] },
    },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '', status: 'in_progress' } },
    ...input.map((delta) => ({ type: 'response.function_call_arguments.delta', ...ofCall, delta })),
    { type: 'response.function_call_arguments.done', ...ofCall, arguments: input.join('') },
    { type: 'response.output_item.done', output_index: 1, item: call },
    { type: 'response.completed', response: whole },
  ].map((event, index) => named({ ...event, sequence_number: index }))
}

const wholeResponse = ({ text, input }: ScriptedAnswer) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'big-2026',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: text.join(''), annotations: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'save',
      arguments: input.join(''),
      status: 'completed',
    },
  ],
  error: null,
  incomplete_details: null,
  usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14 },
})

const wholes: Readonly<Record<Dialect, (answer: ScriptedAnswer) => JsonObject>> = {
  chat: ({ text, input }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'big-2026',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text.join(''),
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'save', arguments: input.join('') } }],
        },
        logprobs: { content: [{ token: text.join('') }] },
        finish_reason: 'tool_calls',
      },
    ],
    usage,
  }),
  messages: ({ text, input }) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'big-2026',
    content: [
      { type: 'text', text: text.join('') },
      { type: 'tool_use', id: 'call_1', name: 'save', input: JSON.parse(input.join('')) },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 5 },
  }),
  responses: wholeResponse,
}

const events: Readonly<Record<Dialect, (answer: ScriptedAnswer) => readonly string[]>> = {
  chat: chatEvents,
  messages: messageEvents,
  responses: responseEvents,
}

/** Returns the answer as an upstream of a dialect sends it whole. */
export const wholeOf = (dialect: Dialect, answer: ScriptedAnswer): JsonObject => wholes[dialect](answer)

/** Returns the answer as an upstream of a dialect streams it. */
export const eventsOf = (dialect: Dialect, answer: ScriptedAnswer): readonly string[] => events[dialect](answer)

/** Returns a text in pieces of these sizes, which repeat. */
export function piecesOf(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}
