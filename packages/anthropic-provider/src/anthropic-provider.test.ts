import type { ServerResponse } from 'node:http'
import type { ChatCompletionChunk, ChatStream } from '@trivium/gateway-core/ports'
import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chatRequest, context, failureOf, latch } from '../../gateway-core/tests/provider-calls.ts'
import { type SeenRequest, upstreamServer } from '../../gateway-core/tests/upstream-server.ts'
import { errorFixtures, eventStream, fixture, wholeChunks } from '../tests/fixtures.ts'
import { type AnthropicProviderOptions, anthropicProvider } from './anthropic-provider.ts'

async function providerWith(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  options: Partial<AnthropicProviderOptions> = {},
) {
  const server = await upstreamServer(answer)
  const provider = anthropicProvider({
    baseUrl: server.origin,
    apiKey: 'sk-ant-secret',
    now: () => new Date(1_700_000_000_000),
    ...options,
  })
  onTestFinished(() => provider.close?.())
  const { chat } = provider
  if (!chat) throw new Error('It has no chat')
  return { ...server, provider, chat }
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  (_: SeenRequest, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }

const events = (text: string) => (_: SeenRequest, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.end(text)
}

function chunksOf(stream: ChatStream) {
  if (stream.kind !== 'chunks') throw new Error(`It is a ${stream.kind}`)
  return stream.chunks[Symbol.asyncIterator]()
}

async function all(stream: ChatStream): Promise<readonly ChatCompletionChunk[]> {
  if (stream.kind !== 'chunks') throw new Error(`It is a ${stream.kind}`)
  const chunks: ChatCompletionChunk[] = []
  for await (const chunk of stream.chunks) chunks.push(chunk)
  return chunks
}

const recorded = fixture('parallel-tools')

describe('a completion of anthropicProvider', () => {
  it('translates the request and the answer', async () => {
    const { chat, seen } = await providerWith(json(recorded.message, 200, { 'request-id': 'req_1' }))
    const answer = await chat.complete({ ...chatRequest(recorded.chat), model: 'claude-example' }, context())
    expect(answer).toMatchObject({ kind: 'completion', completion: recorded.completion })
    expect(answer.headers).toMatchObject({ 'request-id': 'req_1' })
    expect(answer.headers).not.toHaveProperty('content-length')
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(recorded.messages)
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/messages',
      headers: {
        'x-api-key': 'sk-ant-secret',
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'x-request-id': 'request-1',
      },
    })
  })

  it('sends the credentials of the host, and not those of the client', async () => {
    const { chat, seen, origin } = await providerWith(json(recorded.message))
    await chat.complete(chatRequest(), { ...context(), headers: { authorization: 'Bearer tvm_1', cookie: 'a=b' } })
    const other = anthropicProvider({
      baseUrl: `${origin}/proxy/v1/`,
      headers: { Authorization: 'Bearer own', 'anthropic-beta': 'b1' },
    })
    await other.chat?.complete(chatRequest(), context())
    await other.close?.()
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
    expect(seen[0]?.headers).not.toHaveProperty('cookie')
    expect(seen[1]).toMatchObject({
      path: '/proxy/v1/messages',
      headers: { authorization: 'Bearer own', 'anthropic-beta': 'b1' },
    })
    expect(seen[1]?.headers).not.toHaveProperty('x-api-key')
  })

  it.each([
    '',
    '[]',
    '{"type":"message"}',
    '<html>',
    '{"content":[',
  ])('fails as malformed for the answer %j', async (text) => {
    const { chat } = await providerWith(json(text))
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ type: 'malformed' })
  })

  it('fails as malformed for a compressed answer or a redirect', async () => {
    const compressed = await providerWith(json('...', 200, { 'content-encoding': 'br' }))
    expect(await failureOf(compressed.chat.complete(chatRequest(), context()))).toMatchObject({ type: 'malformed' })
    const moved = await providerWith(json('', 307, { location: `${compressed.origin}/v1/messages` }))
    expect(await failureOf(moved.chat.complete(chatRequest(), context()))).toMatchObject({ type: 'malformed' })
    expect(compressed.seen).toHaveLength(1)
  })

  it('sends no request with an unsupported parameter', async () => {
    const { chat, seen } = await providerWith(json(recorded.message))
    expect(await failureOf(chat.complete(chatRequest({ n: 3 }), context()))).toMatchObject({
      type: 'unsupported',
      param: 'n',
    })
    expect(seen).toEqual([])
  })
})

describe('a refusal to anthropicProvider', () => {
  it.each(errorFixtures)('keeps the fields of the recorded error $type', async (error) => {
    const { type, status, message, retryable } = error
    const { chat } = await providerWith(
      json({ type: 'error', error: { type, message } }, status, { 'retry-after': '3' }),
    )
    const said = status === 401 || status === 403 ? 'The upstream refused the credentials of the gateway.' : message
    for (const call of [chat.complete(chatRequest(), context()), chat.stream(chatRequest(), context())]) {
      expect(await failureOf(call)).toEqual({
        type: 'refused',
        status,
        upstreamType: type,
        message: said,
        retryable,
        beforeFirstByte: true,
        retryAfterSeconds: 3,
      })
    }
  })

  it.each(errorFixtures)('fails the stream for an event of type $type', async ({
    type,
    status,
    message,
    retryable,
  }) => {
    const error = { type: 'error', error: { type, message } }
    const first = await providerWith(events(eventStream([error])))
    expect(await failureOf(all(await first.chat.stream(chatRequest(), context())))).toMatchObject({
      type: 'refused',
      status,
      upstreamType: type,
      retryable,
      beforeFirstByte: true,
    })
    const later = await providerWith(events(eventStream([...recorded.events.slice(0, 3), error])))
    const chunks = chunksOf(await later.chat.stream(chatRequest(), context()))
    await chunks.next()
    await chunks.next()
    expect(await failureOf(chunks.next())).toMatchObject({ type: 'refused', status, beforeFirstByte: false })
    expect(await chunks.next()).toEqual({ done: true, value: undefined })
  })

  it.each(['<html>', '', '{"error":"no"}'])('keeps its status with the body %j', async (text) => {
    const { chat } = await providerWith(json(text, 502))
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({
      status: 502,
      message: 'The upstream answered with status 502.',
    })
  })

  it('loses the API key that it repeats', async () => {
    const { chat } = await providerWith(json({ error: { message: 'Key sk-ant-secret is old' } }, 400))
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ message: 'Key *** is old' })
  })

  it.each([
    ['authorization', 'Bearer s3cret'],
    ['X-Api-Key', 's3cret'],
    ['Api-Key', 's3cret'],
  ])('loses credentials of the host that it repeats (%s)', async (name, value) => {
    const { chat } = await providerWith(json({ error: { message: 'Key s3cret is old' } }, 400), {
      headers: { [name]: value },
    })
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ message: 'Key *** is old' })
  })

  it('keeps its message if the API key is empty', async () => {
    const { chat } = await providerWith(json({ error: { message: 'No key' } }, 400), { apiKey: '' })
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ message: 'No key' })
  })

  it('stops the upstream when its body is endless', async () => {
    const closed = latch<void>()
    const { chat } = await providerWith((_, response) => {
      response.writeHead(500)
      response.on('close', () => closed.resolve())
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', more)
      more()
    })
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ status: 500 })
    await closed.promise
  })
})

describe('a stream of anthropicProvider', () => {
  it('becomes chunks, regardless of the sizes of its pieces and its line ends', async () => {
    const noisy = (lineEnd: string) =>
      Buffer.from(`\uFEFF: hello${lineEnd}${lineEnd}${eventStream(recorded.events, lineEnd)}`)
    let bytes: Buffer = noisy('\n')
    let places: readonly number[] = []
    const { chat } = await providerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const next = (index: number): void => {
        const from = index === 0 ? 0 : places[index - 1]
        if (from === undefined) response.end()
        else response.write(bytes.subarray(from, places[index] ?? bytes.length), () => setImmediate(next, index + 1))
      }
      next(0)
    })
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 2000 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(cuts, fc.constantFrom('\n', '\r\n', '\r'), async (chosen, lineEnd) => {
        bytes = noisy(lineEnd)
        places = chosen.filter((place) => place < bytes.length).toSorted((left, right) => left - right)
        expect(await all(await chat.stream(chatRequest(), context()))).toEqual(wholeChunks(recorded))
      }),
      { numRuns: 40 },
    )
  })

  it('contains a usage in every chunk for a client that requests it', async () => {
    const { chat, seen } = await providerWith(events(eventStream(recorded.events)))
    const request = chatRequest({ stream: true, stream_options: { include_usage: true } })
    const chunks = await all(await chat.stream(request, context()))
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
    expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: 460 })
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ stream: true })
    expect(JSON.parse(seen[0]?.body ?? '')).not.toHaveProperty('stream_options')
  })

  it.each(recorded.events.map((_, index) => index))('fails as interrupted after %i events', async (count) => {
    const { chat } = await providerWith(events(eventStream(recorded.events.slice(0, count))))
    expect(await failureOf(all(await chat.stream(chatRequest(), context())))).toMatchObject({
      type: 'interrupted',
      beforeFirstByte: count === 0,
      retryable: true,
    })
  })

  it('fails as interrupted after a reset', async () => {
    const { chat } = await providerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(eventStream(recorded.events.slice(0, 3)), () => {
        setImmediate(() => response.socket?.resetAndDestroy())
      })
    })
    expect(await failureOf(all(await chat.stream(chatRequest(), context())))).toMatchObject({ type: 'interrupted' })
  })

  it('ends properly when the connection breaks after its last event', async () => {
    const { chat } = await providerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(eventStream(recorded.events), () => setImmediate(() => response.socket?.resetAndDestroy()))
    })
    expect(await all(await chat.stream(chatRequest(), context()))).toEqual(wholeChunks(recorded))
  })

  it.each(['data: {\n\n', 'data: 1\n\n', 'data: null\n\n'])('fails as malformed for %j', async (text) => {
    const { chat } = await providerWith(events(text))
    expect(await failureOf(all(await chat.stream(chatRequest(), context())))).toMatchObject({ type: 'malformed' })
  })

  it('accepts an event of 1 MiB, and fails for one of 20 MiB', async () => {
    const [start, block, , ...rest] = recorded.events
    const long = (length: number) => {
      const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(length) } }
      return eventStream([start ?? {}, block ?? {}, delta, ...rest])
    }
    const fine = await providerWith(events(long(2 ** 20)))
    expect(await all(await fine.chat.stream(chatRequest(), context()))).toHaveLength(9)
    const huge = await providerWith(events(long(20 * 2 ** 20)))
    expect(await failureOf(all(await huge.chat.stream(chatRequest(), context())))).toMatchObject({ type: 'malformed' })
  })

  it('becomes a completion when the upstream sends a whole message', async () => {
    const { chat } = await providerWith(json(recorded.message))
    expect(await chat.stream(chatRequest(), context())).toMatchObject({
      kind: 'completion',
      completion: recorded.completion,
    })
  })

  it.each(['signal', 'return'] as const)('closes the connection to a silent upstream after %s', async (how) => {
    const closed = latch<void>()
    const controller = new AbortController()
    const { chat } = await providerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.on('close', () => closed.resolve())
      response.write(eventStream(recorded.events.slice(0, 1)))
    })
    const chunks = chunksOf(await chat.stream(chatRequest(), context(controller.signal)))
    await chunks.next()
    const next = chunks.next()
    if (how === 'signal') {
      controller.abort()
      expect(await failureOf(next)).toMatchObject({ type: 'cancelled', beforeFirstByte: false })
    } else {
      await chunks.return?.()
      expect(await next).toEqual({ done: true, value: undefined })
    }
    await closed.promise
  })

  it('keeps its connection for the next request', async () => {
    const { chat, connections } = await providerWith(events(eventStream(recorded.events)))
    for (let round = 0; round < 5; round++) await all(await chat.stream(chatRequest(), context()))
    expect(await connections()).toBeLessThanOrEqual(2)
  })
})

describe('the models of anthropicProvider', () => {
  it('come from all pages of the upstream', async () => {
    const { provider, seen } = await providerWith((request, response) => {
      const second = request.path.includes('after_id=claude-a')
      json({
        data: second
          ? [{ type: 'model', id: 'claude-b', created_at: 'nonsense' }, {}]
          : [{ type: 'model', id: 'claude-a', display_name: 'A', created_at: '2025-02-19T00:00:00Z' }],
        has_more: !second,
        last_id: second ? 'claude-b' : 'claude-a',
      })(request, response)
    })
    expect(await provider.models(context())).toEqual([
      { id: 'claude-a', kind: 'chat', ownedBy: 'anthropic', created: 1_739_923_200 },
      { id: 'claude-b', kind: 'chat', ownedBy: 'anthropic', created: 0 },
    ])
    expect(seen.map(({ path }) => path)).toEqual(['/v1/models?limit=1000', '/v1/models?limit=1000&after_id=claude-a'])
  })

  it('come from at most 10 pages', async () => {
    const { provider, seen } = await providerWith(json({ data: [{ id: 'm' }], has_more: true, last_id: 'm' }))
    await provider.models(context())
    expect(seen).toHaveLength(10)
  })

  it('fail when the upstream refuses or sends an invalid list', async () => {
    const refusing = await providerWith(json({ error: { message: 'No' } }, 503))
    expect(await failureOf(refusing.provider.models(context()))).toMatchObject({ type: 'refused', status: 503 })
    const strange = await providerWith(json({}))
    expect(await failureOf(strange.provider.models(context()))).toMatchObject({ type: 'malformed' })
  })

  it('come from the host if it sets them', async () => {
    const provider = anthropicProvider({ models: ['claude-x'] })
    expect(await provider.models(context())).toEqual([
      { id: 'claude-x', kind: 'chat', ownedBy: 'anthropic', created: 0 },
    ])
  })
})

it('anthropicProvider throws for a base URL that is not HTTP', () => {
  expect(() => anthropicProvider({ baseUrl: 'ws://example.com' })).toThrow(TypeError)
})
