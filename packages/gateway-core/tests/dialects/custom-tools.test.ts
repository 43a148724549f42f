import type { ServerResponse } from 'node:http'
import { anthropicProvider } from '@trivium/anthropic-provider'
import type { JsonObject } from '@trivium/gateway-core/ports'
import { openAiProvider } from '@trivium/openai-provider'
import { describe, expect, it } from 'vitest'
import { openGateway } from '../open-gateway.ts'
import { type SeenRequest, upstreamServer } from '../upstream-server.ts'

const INPUT = 'raw "Zürich"'
const grammar = { syntax: 'lark', definition: 'start: "a"' }
const asArguments = JSON.stringify({ input: INPUT })

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const named = (value: JsonObject & { readonly type: string }) => `event: ${value.type}\n${data(value)}`

interface Upstream {
  readonly providerAt: (origin: string) => ReturnType<typeof openAiProvider>
  readonly answer: JsonObject
  readonly events: readonly string[]
  /** What the upstream gets of the tool, the choice of it, the earlier call, and its result. */
  readonly tool: JsonObject
  readonly choice: JsonObject
  readonly call: JsonObject
  readonly result: JsonObject
}

const options = { id: 'up', apiKey: 'sk-secret', models: ['big'] }

const chunkOf = (delta: JsonObject, finish: string | null = null) =>
  data({ id: 'c1', created: 1, model: 'big', choices: [{ index: 0, delta, finish_reason: finish }] })

function chat(call: JsonObject, pieces: readonly JsonObject[]): Pick<Upstream, 'answer' | 'events'> {
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  return {
    answer: {
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'big',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    },
    events: [
      ...pieces.map((piece) => chunkOf({ tool_calls: [{ index: 0, ...piece }] })),
      chunkOf({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ],
  }
}

const item = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'patch', input: INPUT }
const response = (status: string, output: readonly unknown[]) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'big',
  status,
  output,
  error: null,
})
const place = { item_id: 'ctc_1', output_index: 0 }

const block = { type: 'tool_use', id: 'call_1', name: 'patch' }
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'big', stop_reason: 'tool_use' }
const usage = { input_tokens: 1, output_tokens: 1 }

const upstreams = {
  chat: {
    providerAt: (origin) => openAiProvider({ ...options, baseUrl: `${origin}/v1`, dialects: ['chat'] }),
    ...chat({ id: 'call_1', type: 'function', function: { name: 'patch', arguments: asArguments } }, [
      { id: 'call_1', type: 'function', function: { name: 'patch', arguments: '' } },
      { function: { arguments: asArguments.slice(0, 9) } },
      { function: { arguments: asArguments.slice(9) } },
    ]),
    tool: { type: 'function', function: { name: 'patch' } },
    choice: { type: 'function', function: { name: 'patch' } },
    call: { tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'patch', arguments: asArguments } }] },
    result: { role: 'tool', tool_call_id: 'call_0', content: 'done' },
  },
  'chat with custom tools': {
    providerAt: (origin) =>
      openAiProvider({ ...options, baseUrl: `${origin}/v1`, dialects: ['chat'], customTools: true }),
    ...chat({ id: 'call_1', type: 'custom', custom: { name: 'patch', input: INPUT } }, [
      { id: 'call_1', type: 'custom', custom: { name: 'patch', input: '' } },
      { custom: { input: INPUT.slice(0, 5) } },
      { custom: { input: INPUT.slice(5) } },
    ]),
    tool: { type: 'custom', custom: { name: 'patch', description: 'Edits', format: { type: 'grammar', grammar } } },
    choice: { type: 'custom', custom: { name: 'patch' } },
    call: { tool_calls: [{ id: 'call_0', type: 'custom', custom: { name: 'patch', input: INPUT } }] },
    result: { role: 'tool', tool_call_id: 'call_0', content: 'done' },
  },
  responses: {
    providerAt: (origin) => openAiProvider({ ...options, baseUrl: `${origin}/v1`, dialects: ['responses'] }),
    answer: response('completed', [{ ...item, status: 'completed' }]),
    events: [
      { type: 'response.created', response: response('in_progress', []) },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, input: '', status: 'in_progress' } },
      { type: 'response.custom_tool_call_input.delta', ...place, delta: INPUT.slice(0, 5) },
      { type: 'response.custom_tool_call_input.delta', ...place, delta: INPUT.slice(5) },
      { type: 'response.custom_tool_call_input.done', ...place, input: INPUT },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
      { type: 'response.completed', response: response('completed', [item]) },
    ].map(named),
    tool: { type: 'custom', name: 'patch', description: 'Edits', format: { type: 'grammar', ...grammar } },
    choice: { type: 'custom', name: 'patch' },
    call: { type: 'custom_tool_call', call_id: 'call_0', name: 'patch', input: INPUT },
    result: { type: 'custom_tool_call_output', call_id: 'call_0', output: 'done' },
  },
  messages: {
    providerAt: (origin) => anthropicProvider({ ...options, baseUrl: origin }),
    answer: { ...message, content: [{ ...block, input: { input: INPUT } }], usage },
    events: [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: { ...block, input: {} } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: asArguments.slice(0, 9) },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: asArguments.slice(9) },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ].map(named),
    tool: { name: 'patch', input_schema: { type: 'object', required: ['input'] } },
    choice: { type: 'tool', name: 'patch' },
    call: { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name: 'patch', input: { input: INPUT } }] },
    result: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_0' }] },
  },
} satisfies Record<string, Upstream>

const fronts = {
  chat: {
    path: '/v1/chat/completions',
    body: {
      messages: [
        { role: 'user', content: 'Patch it' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_0', type: 'custom', custom: { name: 'patch', input: INPUT } }],
        },
        { role: 'tool', tool_call_id: 'call_0', content: 'done' },
      ],
      tools: [
        {
          type: 'custom',
          custom: { name: 'patch', description: 'Edits', format: { type: 'grammar', grammar } },
        },
      ],
      tool_choice: { type: 'custom', custom: { name: 'patch' } },
    },
  },
  responses: {
    path: '/v1/responses',
    body: {
      input: [
        { role: 'user', content: 'Patch it' },
        { type: 'custom_tool_call', call_id: 'call_0', name: 'patch', input: INPUT },
        { type: 'custom_tool_call_output', call_id: 'call_0', output: 'done' },
      ],
      tools: [{ type: 'custom', name: 'patch', description: 'Edits', format: { type: 'grammar', ...grammar } }],
      tool_choice: { type: 'custom', name: 'patch' },
    },
  },
}

const pairs = [
  ['chat', 'chat with custom tools'],
  ['chat', 'responses'],
  ['chat', 'messages'],
  ['responses', 'chat'],
  ['responses', 'chat with custom tools'],
  ['responses', 'responses'],
  ['responses', 'messages'],
] as const

async function ask(front: keyof typeof fronts, upstream: keyof typeof upstreams, stream: boolean) {
  const { answer, events, providerAt }: Upstream = upstreams[upstream]
  const server = await upstreamServer((_: SeenRequest, sent: ServerResponse) => {
    sent.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
    sent.end(stream ? events.join('') : JSON.stringify(answer))
  })
  const gateway = openGateway({ providers: [providerAt(server.origin)] })
  const { secret } = await gateway.key()
  const { path, body } = fronts[front]
  const answered = await gateway.send(path, { as: secret, body: { model: 'up/big', ...body, stream } })
  expect(answered.status).toBe(200)
  return { answered, seen: () => JSON.parse(server.seen[0]?.body ?? '') }
}

describe.each(pairs)('custom tools of a client of %s over an upstream of %s', (front, upstream) => {
  const { tool, choice, call, result }: Upstream = upstreams[upstream]

  it('reach the upstream as tools, a choice, calls and results of its own', async () => {
    const { seen } = await ask(front, upstream, false)
    const { messages, input = messages, tools, tool_choice: chosen } = seen()
    expect(tools).toMatchObject([tool])
    expect(chosen).toEqual(choice)
    expect(input.slice(1)).toMatchObject([call, result])
  })

  it('come back as calls in a whole answer', async () => {
    const { answered } = await ask(front, upstream, false)
    const body = await answered.json()
    if (front === 'chat') {
      expect(body.choices).toMatchObject([
        {
          message: { tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'patch', input: INPUT } }] },
          finish_reason: 'tool_calls',
        },
      ])
    } else {
      expect(body.output).toMatchObject([{ type: 'custom_tool_call', call_id: 'call_1', name: 'patch', input: INPUT }])
    }
  })

  it('come back as calls in a streamed answer', async () => {
    const { answered } = await ask(front, upstream, true)
    const events = (await answered.text())
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)))
    if (front === 'chat') {
      const deltas = events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
      expect(deltas[0]).toMatchObject({ index: 0, id: 'call_1', type: 'custom', custom: { name: 'patch' } })
      expect(deltas.map(({ custom }) => custom.input ?? '').join('')).toBe(INPUT)
    } else {
      const inputs = events.filter(({ type }) => type === 'response.custom_tool_call_input.delta')
      expect(inputs.map(({ delta }) => delta).join('')).toBe(INPUT)
      expect(events.at(-1)).toMatchObject({
        type: 'response.completed',
        response: { output: [{ type: 'custom_tool_call', call_id: 'call_1', name: 'patch', input: INPUT }] },
      })
    }
  })
})
