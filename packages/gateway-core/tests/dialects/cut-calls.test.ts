import type { Dialect, JsonObject } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { openGateway } from '../open-gateway.ts'
import { scripts } from './dialect-scripts.ts'
import { dialectUpstream } from './dialect-upstream.ts'

const CUT = '{"city":"Par'

const event = (value: JsonObject) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

/** An Anthropic upstream whose answer ends within the arguments of a call. */
const cut = [
  { type: 'message_start', message: { id: 'msg_1', role: 'assistant', model: 'big', content: [], usage: {} } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
  },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: CUT } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]

const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: CUT } }

/** A conversation in which the client returns the call of an earlier answer, with a result. */
const returned = (input: string): Readonly<Record<'chat' | 'responses', { body: JsonObject; param: string }>> => ({
  chat: {
    body: {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', tool_calls: [{ ...call, function: { name: 'weather', arguments: input } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'The arguments are not JSON.' },
      ],
    },
    param: 'messages[1].tool_calls[0].function.arguments',
  },
  responses: {
    body: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: input },
        { type: 'function_call_output', call_id: 'call_1', output: 'The arguments are not JSON.' },
      ],
    },
    param: 'input[1].arguments',
  },
})

async function open(dialect: Dialect, answer?: Parameters<typeof dialectUpstream>[1]) {
  const upstream = await dialectUpstream(dialect, answer)
  const gateway = openGateway({ providers: [upstream.provider], retries: { retries: 0 } })
  const { secret } = await gateway.key()
  const send = (front: Dialect, body: JsonObject) =>
    gateway.send(scripts[front].path, { as: secret, body: { model: 'up/big', ...body } })
  return { send, seen: upstream.seen }
}

describe('a call whose arguments were cut', () => {
  it.each([
    'chat',
    'responses',
  ] as const)('sends a cut call to Anthropic where a client of %s returns it', async (front) => {
    const { send, seen } = await open('messages')
    const response = await send(front, returned(CUT)[front].body)
    expect(response.status).toBe(200)
    expect(JSON.parse(seen[0]?.body ?? '').messages[1]).toMatchObject({
      content: [{ type: 'tool_use', name: 'weather', input: { INVALID_JSON: CUT } }],
    })
  })

  it('returns a cut call as incomplete in a response, streamed or whole', async () => {
    const stream = await open('messages', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(cut.map(event).join(''))
    })
    const text = await (await stream.send('responses', { ...scripts.responses.request, stream: true })).text()
    const last = JSON.parse(text.trimEnd().split('\ndata: ').at(-1) ?? '')
    const { answer } = scripts.chat
    const message = { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'toolu_1' }] }
    const whole = await open('chat', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...answer, choices: [{ index: 0, message, finish_reason: 'length' }] }))
    })
    const body = await (await whole.send('responses', scripts.responses.request)).json()
    const output = [{ type: 'function_call', call_id: 'toolu_1', arguments: CUT, status: 'incomplete' }]
    const expected = { status: 'incomplete', output }
    expect([last.response, body]).toMatchObject([expected, expected])
    expect(text.split('"response.output_item.done"')[1]).toContain('"status":"incomplete"')
  })

  it('has the same form in a message as in a request, and keeps the ending', async () => {
    const { send } = await open('chat', (_, response) => {
      const message = { role: 'assistant', content: null, tool_calls: [call] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ ...scripts.chat.answer, choices: [{ index: 0, message, finish_reason: 'length' }] }),
      )
    })
    expect(await (await send('messages', scripts.messages.request)).json()).toMatchObject({
      stop_reason: 'max_tokens',
      content: [{ type: 'tool_use', input: { INVALID_JSON: CUT } }],
    })
  })
})

it.each([
  ['chat', 'messages', { messages: [{ role: 'user', content: 'x' }] }],
  ['responses', 'chat', { input: 'x' }],
  ['messages', 'chat', { messages: [{ role: 'user', content: 'x' }], max_tokens: 9 }],
] as const)('repeats little of the long name of a field that a client of %s invents', async (front, upstream, body) => {
  const { send, seen } = await open(upstream)
  const response = await send(front, { ...body, ['n'.repeat(100_000)]: 1 })
  const text = await response.text()
  expect([response.status, text.length < 1000, seen]).toEqual([400, true, []])
  expect(text).toContain('nnn')
})

it.each(['chat', 'responses'] as const)('refuses arguments of too many values by their name in %s', async (front) => {
  const { send, seen } = await open('messages')
  const { body, param } = returned(`{"a":[${'1,'.repeat(2 ** 20)}1]}`)[front]
  const response = await send(front, body)
  expect(response.status).toBe(400)
  const { error } = await response.json()
  expect(error).toMatchObject({ param, message: expect.stringContaining('30000 values') })
  expect(seen).toEqual([])
})
