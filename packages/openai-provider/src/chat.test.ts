import type { ServerResponse } from 'node:http'
import type { ChatProvider } from '@trivium/gateway-core/ports'
import { assert, asyncProperty, integer, uniqueArray } from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chatRequest, context, failureOf, latch } from '../../gateway-core/tests/provider-calls.ts'
import { type SeenRequest, upstreamServer } from '../../gateway-core/tests/upstream-server.ts'
import { received } from '../../provider-kit/tests/received.ts'
import { COMPLETION, STREAM } from '../tests/streams.ts'
import { type OpenAiProviderOptions, openAiProvider } from './open-ai-provider.ts'

async function chatWith(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  options: Partial<OpenAiProviderOptions> = {},
) {
  const server = await upstreamServer(answer)
  const provider = openAiProvider({ baseUrl: `${server.origin}/v1/`, apiKey: 'sk-upstream-secret', ...options })
  onTestFinished(() => provider.close?.())
  if (!provider.chat) throw new Error('It has no chat')
  return { ...server, chat: provider.chat }
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  (_: SeenRequest, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }

async function bodyOf(chat: ChatProvider) {
  const stream = await chat.stream(chatRequest({ stream: true }), context())
  if (stream.kind !== 'encoded') throw new Error(`It is a ${stream.kind}`)
  const body = received()
  stream.start(body.receiver)
  return { ending: await body.ended, bytes: body.bytes() }
}

describe('a completion of openAiProvider', () => {
  it('reaches the gateway unchanged', async () => {
    const text = ` ${JSON.stringify(COMPLETION, null, 3)}\n`
    const { chat } = await chatWith(json(text, 200, { 'x-request-id': 'up-1' }))
    const answer = await chat.complete(chatRequest(), context())
    if (answer.kind !== 'encoded') throw new Error('It was taken apart')
    expect(Buffer.from(answer.bytes).toString()).toBe(text)
    expect(answer.completion).toEqual(COMPLETION)
    expect(answer.headers).toMatchObject({ 'x-request-id': 'up-1' })
  })

  it('sends the bytes of the request with the credentials of the gateway', async () => {
    const { chat, seen } = await chatWith(json(COMPLETION), { headers: { 'OpenAI-Organization': 'org' } })
    const request = chatRequest({ temperature: 0.5, top_k: 3 })
    await chat.complete(request, { ...context(), headers: { traceparent: '00-1-2-01', authorization: 'Bearer tvm_1' } })
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      body: Buffer.from(request.encode()).toString(),
      headers: {
        authorization: 'Bearer sk-upstream-secret',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'openai-organization': 'org',
        'x-request-id': 'request-1',
        traceparent: '00-1-2-01',
      },
    })
  })

  it('sends no credentials if the host sets none', async () => {
    const server = await upstreamServer(json(COMPLETION))
    const { chat } = openAiProvider({ baseUrl: server.origin })
    await chat?.complete(chatRequest(), { ...context(), headers: { authorization: 'Bearer tvm_1', cookie: 'a=b' } })
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization')
    expect(server.seen[0]?.headers).not.toHaveProperty('cookie')
    expect(server.seen[0]?.path).toBe('/chat/completions')
  })

  it.each([
    ['HTML', 'text/html', '<html>It works</html>'],
    ['an empty body', 'application/json', ''],
    ['a list', 'application/json', '[]'],
    ['no choices', 'application/json', '{"id":"x"}'],
    ['half of it', 'application/json', '{"choices":[{"index":0,'],
    ['events', 'text/event-stream', 'data: {}\n\n'],
  ])('fails as malformed for %s', async (_, type, text) => {
    const { chat } = await chatWith((_request, response) => {
      response.writeHead(200, { 'content-type': type })
      response.end(text)
    })
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ type: 'malformed' })
  })

  it('fails as malformed for a compressed answer', async () => {
    const { chat } = await chatWith(json('...', 200, { 'content-encoding': 'gzip' }))
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ type: 'malformed' })
  })

  it('closes the connection immediately when the client disconnects', async () => {
    const asked = latch<void>()
    const closed = latch<void>()
    const controller = new AbortController()
    const { chat } = await chatWith((_, response) => {
      response.on('close', () => closed.resolve())
      asked.resolve()
    })
    const failure = failureOf(chat.complete(chatRequest(), context(controller.signal)))
    await asked.promise
    controller.abort()
    expect(await failure).toMatchObject({ type: 'cancelled', retryable: false })
    await closed.promise
  })
})

describe('an upstream error in openAiProvider', () => {
  it.each([
    [400, { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' }, false],
    [404, { type: 'invalid_request_error', param: null, code: 'model_not_found' }, false],
    [408, { type: 'timeout', param: null, code: null }, true],
    [409, { type: 'conflict', param: null, code: null }, true],
    [429, { type: 'requests', param: null, code: 'rate_limit_exceeded' }, true],
    [500, { type: 'server_error', param: null, code: null }, true],
    [503, { type: 'server_error', param: null, code: 'overloaded' }, true],
  ])('keeps the fields of the upstream with status %i', async (status, fields, retryable) => {
    const { chat } = await chatWith(json({ error: { message: 'Because.', ...fields } }, status))
    for (const call of [chat.complete(chatRequest(), context()), chat.stream(chatRequest(), context())]) {
      const error = await failureOf(call)
      expect(error).toMatchObject({ type: 'refused', status, message: 'Because.', retryable, beforeFirstByte: true })
      expect(error).toMatchObject({ upstreamType: fields.type })
      if (fields.code) expect(error).toMatchObject({ code: fields.code })
      if (fields.param) expect(error).toMatchObject({ param: fields.param })
    }
  })

  it.each([
    ['a bare text', { error: 'Out of memory' }, 'Out of memory'],
    ['no wrapper', { object: 'error', message: 'No such model', type: 'NotFoundError' }, 'No such model'],
    ['detail', { detail: 'Not Found' }, 'Not Found'],
    ['details', { detail: [{ loc: ['body', 'temperature'], msg: 'Too hot', type: 'x' }] }, 'Too hot'],
    ['a list', [{ error: { message: 'Quota', code: 429 } }], 'Quota'],
    ['HTML', '<html>nginx</html>', 'The upstream answered with status 418.'],
    ['nothing', '', 'The upstream answered with status 418.'],
  ])('keeps its message in the form of %s', async (_, body, message) => {
    const { chat } = await chatWith(json(body, 418))
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ status: 418, message })
  })

  it.each([401, 403])('hides the credentials with status %i', async (status) => {
    const { chat } = await chatWith(
      json({ error: { message: 'Incorrect API key provided: sk-ups*****cret', code: 'invalid_api_key' } }, status),
    )
    const { message } = await failureOf(chat.complete(chatRequest(), context()))
    expect(message).toBe('The upstream refused the credentials of the gateway.')
  })

  it('has the API key removed from its message, and is shortened', async () => {
    const longText = `sk-upstream-secret ${'x'.repeat(9000)}`
    const { chat } = await chatWith(
      json({ error: { message: longText, type: longText, code: longText, param: longText } }, 400),
    )
    const short = `*** ${'x'.repeat(1996)}`
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({
      message: short,
      upstreamType: short,
      code: short,
      param: short,
    })
  })

  it('stops the upstream when its body is endless', async () => {
    const closed = latch<void>()
    const { chat } = await chatWith((_, response) => {
      response.writeHead(500)
      response.on('close', () => closed.resolve())
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', more)
      more()
    })
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ type: 'refused', status: 500 })
    await closed.promise
  })

  it.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after-ms': '1500', 'retry-after': '7' }, 1.5],
    [{ 'retry-after': 'Tue, 14 Nov 2023 22:13:30 GMT' }, 10],
    [{ 'retry-after': 'Tue, 14 Nov 2023 22:13:10 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{}, undefined],
  ])('keeps the retry time of the headers %o', async (headers, seconds) => {
    const { chat } = await chatWith(json({ error: { message: 'Slow' } }, 429, headers), {
      now: () => new Date(1_700_000_000_000),
    })
    const error = await failureOf(chat.complete(chatRequest(), context()))
    expect(error.retryAfterSeconds).toBe(seconds)
  })

  it.each([
    [{ error: { message: 'Later', code: 429 } }, 429],
    [{ error: { message: 'Later', code: 'rate_limited' } }, 500],
    [{ error: 'Later' }, 500],
  ])('applies to an error in the answer %o with status 200', async (body, status) => {
    const { chat } = await chatWith(json(body))
    for (const call of [chat.complete(chatRequest(), context()), chat.stream(chatRequest(), context())]) {
      expect(await failureOf(call)).toMatchObject({ type: 'refused', status, message: 'Later' })
    }
  })

  it.each([301, 302, 307, 308])('replaces a redirect with status %i, which is not followed', async (status) => {
    const other = await upstreamServer(json(COMPLETION))
    const { chat, seen } = await chatWith(json('', status, { location: `${other.origin}/v1/chat/completions` }))
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject({ type: 'malformed' })
    expect(seen).toHaveLength(1)
    expect(other.seen).toHaveLength(0)
  })
})

describe('a stream of openAiProvider', () => {
  const bytes = Buffer.from(STREAM)

  it('reaches the gateway unchanged, in pieces of any size', async () => {
    const cuts = uniqueArray(integer({ min: 1, max: bytes.length - 1 }), { maxLength: 30 })
    let places: readonly number[] = []
    const { chat } = await chatWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      const pieces = [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length))
      const next = (index: number): void => {
        const piece = pieces[index]
        if (piece) response.write(piece, () => setImmediate(next, index + 1))
        else response.end()
      }
      next(0)
    })
    await assert(
      asyncProperty(cuts, async (chosen) => {
        places = chosen.toSorted((left, right) => left - right)
        const relayed = await bodyOf(chat)
        expect(relayed.ending).toBe('complete')
        expect(relayed.bytes.equals(bytes)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('starts without a content type if its first bytes are events', async () => {
    const { chat } = await chatWith((_, response) => response.end(': hello\n\ndata: [DONE]\n\n'))
    expect((await bodyOf(chat)).bytes.toString()).toBe(': hello\n\ndata: [DONE]\n\n')
  })

  it.each([
    'application/json',
    'application/problem+json; charset=utf-8',
    'text/plain',
  ])('becomes a completion for a whole answer (%s)', async (type) => {
    const { chat } = await chatWith(json(COMPLETION, 200, { 'content-type': type }))
    const stream = await chat.stream(chatRequest({ stream: true }), context())
    expect(stream).toMatchObject({ kind: 'completion', completion: COMPLETION })
  })

  it.each([
    ['text/html', '<html>'],
    ['', ''],
  ])('fails as malformed for another answer (%s)', async (type, text) => {
    const { chat } = await chatWith((_, response) => {
      if (type !== '') response.setHeader('content-type', type)
      response.end(text)
    })
    expect(await failureOf(chat.stream(chatRequest(), context()))).toMatchObject({ type: 'malformed' })
  })

  it('fails as interrupted after all received bytes', async () => {
    const { chat } = await chatWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[]}\n\n', () => setImmediate(() => response.socket?.resetAndDestroy()))
    })
    const { ending, bytes: relayed } = await bodyOf(chat)
    expect(ending).toMatchObject({ type: 'interrupted', beforeFirstByte: false })
    expect(relayed.toString()).toBe('data: {"choices":[]}\n\n')
  })

  it('requests events', async () => {
    const { chat, seen } = await chatWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('data: [DONE]\n\n')
    })
    await bodyOf(chat)
    expect(seen[0]?.headers.accept).toBe('text/event-stream')
    expect(chat.asksStreamUsage).toBe(true)
  })
})

describe('the name of the token limit in openAiProvider', () => {
  const refuses =
    (refused: string, status: number, body: unknown) => (request: SeenRequest, response: ServerResponse) => {
      if (refused in JSON.parse(request.body)) json(body, status)(request, response)
      else json(COMPLETION)(request, response)
    }
  const newer = refuses('max_tokens', 400, {
    error: {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      type: 'invalid_request_error',
      param: 'max_tokens',
      code: 'unsupported_parameter',
    },
  })
  const older = refuses('max_completion_tokens', 422, {
    detail: [
      { type: 'extra_forbidden', loc: ['body', 'max_completion_tokens'], msg: 'Extra inputs are not permitted' },
    ],
  })
  const limits = (seen: readonly SeenRequest[]) =>
    seen.map(({ body }) => {
      const { max_tokens, max_completion_tokens } = JSON.parse(body)
      return { max_tokens, max_completion_tokens }
    })

  it('changes to the newer one, which is remembered', async () => {
    const { chat, seen } = await chatWith(newer)
    await chat.complete(chatRequest({ max_tokens: 5 }), context())
    await chat.complete(chatRequest({ max_tokens: 6 }), context())
    expect(limits(seen)).toEqual([{ max_tokens: 5 }, { max_completion_tokens: 5 }, { max_completion_tokens: 6 }])
  })

  it('changes to the older one', async () => {
    const { chat, seen } = await chatWith(older)
    await chat.complete(chatRequest({ max_completion_tokens: 5 }), context())
    expect(limits(seen)).toEqual([{ max_completion_tokens: 5 }, { max_tokens: 5 }])
  })

  it('changes only once', async () => {
    const { chat, seen } = await chatWith(
      json({ error: { message: "'max_tokens': use 'max_completion_tokens' instead", param: 'max_tokens' } }, 400),
    )
    expect(await failureOf(chat.complete(chatRequest({ max_tokens: 5 }), context()))).toMatchObject({ status: 400 })
    expect(seen).toHaveLength(2)
  })

  it('stays if the upstream refuses its value, or the request has no limit', async () => {
    const { chat, seen } = await chatWith(
      json({ error: { message: 'max_tokens is too large: 1e9', param: 'max_tokens', code: 'invalid_value' } }, 400),
    )
    await failureOf(chat.complete(chatRequest({ max_tokens: 1e9 }), context()))
    await failureOf(chat.complete(chatRequest(), context()))
    expect(seen).toHaveLength(2)
  })
})

it('openAiProvider throws for a base URL that is not HTTP', () => {
  expect(() => openAiProvider({ baseUrl: 'file:///etc/passwd' })).toThrow(TypeError)
  expect(() => openAiProvider({ baseUrl: 'nonsense' })).toThrow(TypeError)
})
