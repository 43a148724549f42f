import type { Dialect } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { openGateway } from '../open-gateway.ts'
import { dialectUpstream } from './dialect-upstream.ts'

const messages = {
  path: '/v1/messages/count_tokens',
  body: {
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'The weather in Paris?' }],
    tools: [{ name: 'weather', input_schema: { type: 'object', properties: {} } }],
  },
  count: (tokens: number) => ({ input_tokens: tokens }),
}
const responses = {
  path: '/v1/responses/input_tokens',
  body: {
    instructions: 'Be brief.',
    input: 'The weather in Paris?',
    tools: [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} }, strict: false }],
  },
  count: (tokens: number) => ({ object: 'response.input_tokens', input_tokens: tokens }),
}
const fronts = { messages, responses }

async function open(upstream: Dialect, status = 200, answer: unknown = { input_tokens: 42 }) {
  const server = await dialectUpstream(upstream, (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  const opened = openGateway({ providers: [server.provider], retries: { retries: 0 } })
  const { secret } = await opened.key()
  const ask = (front: keyof typeof fronts, more = {}) =>
    opened.send(fronts[front].path, { as: secret, body: { model: 'up/big', ...fronts[front].body, ...more } })
  return { ...opened, ask, seen: server.seen }
}

describe.each([
  ['messages', 'responses'],
  ['responses', 'messages'],
] as const)('a count of tokens for a client of %s over an upstream of %s', (front, upstream) => {
  it('comes from the upstream', async () => {
    const { ask, seen } = await open(upstream)
    const response = await ask(front)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(fronts[front].count(42))
    expect(response.headers.has('x-trivium-estimated')).toBe(false)
    expect(seen).toMatchObject([{ path: fronts[upstream].path }])
    const { body } = fronts[upstream]
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      ...body,
      model: 'big',
      ...('input' in body
        ? { input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: body.input }] }] }
        : { system: expect.anything(), messages: expect.anything(), tools: [expect.objectContaining(body.tools[0])] }),
    })
  })

  it.each([404, 405, 501])('becomes an estimate where the upstream answers %i', async (status) => {
    const { ask } = await open(upstream, status, { error: { message: 'Not found' } })
    const response = await ask(front)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-trivium-estimated')).toBe('true')
    expect((await response.json()).input_tokens).toBeGreaterThan(0)
  })

  it('names what the upstream did not get', async () => {
    const tool = { type: front === 'messages' ? 'bash_20250124' : 'code_interpreter', name: 'bash' }
    const { ask } = await open(upstream)
    const response = await ask(front, { tools: [tool] })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-trivium-omitted')).toContain(front === 'messages' ? 'bash' : 'code_interpreter')
  })

  it('becomes an estimate where the dialect of the upstream cannot carry the request', async () => {
    const { ask, seen } = await open(upstream)
    const response = await ask(
      front,
      front === 'messages' ? { top_k: 5, thread: { id: 't' } } : { prompt: { id: 'p' } },
    )
    expect(response.headers.get('x-trivium-estimated')).toBe('true')
    expect(seen).toEqual([])
  })

  it('fails with the refusal of the upstream', async () => {
    const { ask } = await open(upstream, 429, { error: { message: 'Slow down' } })
    expect((await ask(front)).status).toBe(429)
  })
})

it.each([
  'messages',
  'responses',
] as const)('becomes an estimate for a client of %s over an upstream of chat', async (front) => {
  const { ask, seen } = await open('chat')
  expect((await ask(front)).headers.get('x-trivium-estimated')).toBe('true')
  expect(seen).toEqual([])
})
