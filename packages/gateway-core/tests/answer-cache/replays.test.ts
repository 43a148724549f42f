import type { Dialect } from '@trivium/gateway-core/ports'
import { localProvider } from '@trivium/local-provider'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { scripts } from '../dialects/dialect-scripts.ts'
import { dialectUpstream } from '../dialects/dialect-upstream.ts'
import { openGateway, settled } from '../open-gateway.ts'
import { serveGateway, transports } from '../serve-gateway.ts'
import { sdkClient } from './sdk-answers.ts'

const dialects: readonly Dialect[] = ['chat', 'responses', 'messages']
const pairs = dialects.flatMap((front) => dialects.map((upstream) => [front, upstream] as const))

async function open(front: Dialect, upstream: Dialect) {
  const { provider, seen } = await dialectUpstream(upstream)
  const gateway = openGateway({ providers: [provider], answerCache: {} })
  const { secret } = await gateway.key()
  return { ...sdkClient(front, gateway.fetch, secret), gateway, secret, seen }
}

describe.each(pairs)('cached answers for a client of %s of an upstream of %s', (front, upstream) => {
  it('replays a whole answer as a stream, and as a whole one', async () => {
    const { whole, streamed, gateway, seen } = await open(front, upstream)
    const first = await whole()
    expect(await streamed()).toEqual(first)
    expect(await whole()).toEqual(first)
    expect(seen).toHaveLength(1)
    expect(gateway.faults).toEqual([])
  })

  it('replays a stream as a whole answer, and as a stream', async () => {
    const { whole, streamed, gateway, seen } = await open(front, upstream)
    const first = await streamed()
    await settled()
    expect(await whole()).toEqual(first)
    expect(await streamed()).toEqual(first)
    expect(first.text).toBe('I look it up.')
    expect(first.calls).toEqual([[expect.any(String), 'weather', { city: 'Paris' }]])
    expect(seen).toHaveLength(1)
    expect(gateway.faults).toEqual([])
  })
})

it.each(transports)('the openai client reads a replay of 900,000 characters over %s', async (transport) => {
  const { gateway, url } = await serveGateway(transport, { providers: [localProvider()], answerCache: {} })
  const { secret } = (await gateway.apiKeys.generate({ username: 'ada', rateLimit: 1_000 }))._unsafeUnwrap()
  const client = new OpenAI({ apiKey: secret, baseURL: `${url}/v1`, maxRetries: 0 })
  const request = {
    model: 'local/echo-no-llm',
    messages: [{ role: 'user' as const, content: 'word '.repeat(180_000) }],
  }
  const first = await client.chat.completions.create(request)
  const { data: stream, response } = await client.chat.completions.create({ ...request, stream: true }).withResponse()
  expect(response.headers.get('x-trivium-cache')).toBe('hit')
  const pieces: string[] = []
  for await (const chunk of stream) pieces.push(chunk.choices[0]?.delta.content ?? '')
  expect(pieces.join('')).toBe(first.choices[0]?.message.content)
})

describe('a replayed stream', () => {
  const events = (text: string) =>
    text
      .split('\n\n')
      .map((event) => /^data: (.*)$/m.exec(event)?.[1] ?? '')
      .filter((data) => data !== '' && data !== '[DONE]')
      .map((data) => JSON.parse(data))

  const replay = async (dialect: Dialect, more: object = {}) => {
    const { gateway, secret } = await open(dialect, dialect)
    const { path, request } = scripts[dialect]
    const body = { model: 'up/big', ...request, ...(dialect === 'responses' && { store: false }) }
    await gateway.send(path, { as: secret, body })
    const response = await gateway.send(path, { as: secret, body: { ...body, stream: true, ...more } })
    expect(response.headers.get('x-trivium-cache')).toBe('hit')
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    return response.text()
  }

  it('has the usage of a completion only where its client requests it', async () => {
    const usage = expect.objectContaining({ prompt_tokens: 9, completion_tokens: 5 })
    const without = await replay('chat')
    expect(without.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(events(without).filter((chunk) => 'usage' in chunk)).toEqual([])
    const chunks = events(await replay('chat', { stream_options: { include_usage: true } }))
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true)
  })

  it('has all events of a message in their order', async () => {
    expect(events(await replay('messages')).map(({ type }) => type)).toEqual([
      'message_start',
      ...Array(2).fill(['content_block_start', 'content_block_delta', 'content_block_stop']).flat(),
      'message_delta',
      'message_stop',
    ])
  })

  it('has all events of a response in their order, with their numbers', async () => {
    const all = events(await replay('responses'))
    expect(all.map(({ sequence_number: number }) => number)).toEqual([...all.keys()])
    expect(all.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ])
  })
})
