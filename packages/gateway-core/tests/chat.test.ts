import { ProviderFailure } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import {
  completionText,
  delta,
  encodedAnswer,
  fakeProvider,
  finish,
  LiveStream,
  textStream,
  usage,
} from './fake-provider.ts'
import { expectFailure, openGateway } from './open-gateway.ts'

describe('the chat service', () => {
  const messages = [{ role: 'user', content: 'Hello' }] as const

  it.each([
    [{ temperature: 99 }, RangeError, "'body.temperature' of 'complete' must be at most 2."],
    [{ temperature: Number.NaN }, TypeError, "'body.temperature' of 'complete' must be number, not NaN."],
    [{ top_p: 5 }, RangeError, "'body.top_p' of 'complete' must be at most 1."],
    [{ presence_penalty: -3 }, RangeError, "'body.presence_penalty' of 'complete' must be at least -2."],
    [{ frequency_penalty: 3 }, RangeError, "'body.frequency_penalty' of 'complete' must be at most 2."],
    [{ top_logprobs: 21 }, RangeError, "'body.top_logprobs' of 'complete' must be at most 20."],
    [{ seed: 0.5 }, RangeError, "'body.seed' of 'complete' must be a whole number."],
  ])('refuses the numbers %j, as does the HTTP interface', async (numbers, kind, message) => {
    const open = openGateway()
    const call = { requestId: 'r1', caller: { type: 'admin' }, signal: new AbortController().signal } as const
    const body = { model: 'up/big', messages, ...numbers }
    const complete = () => open.gateway.chat.complete(call, { body, raw: undefined })
    expect(complete).toThrow(kind)
    expect(complete).toThrow(message)
    const { secret } = await open.key()
    // JSON has no NaN.
    const isJson = !Object.values(numbers).some(Number.isNaN)
    expect((await open.chat(secret, numbers)).status).toBe(isJson ? 400 : 200)
  })

  it('accepts numbers that are `null`, and the bounds themselves', async () => {
    const open = openGateway()
    const call = { requestId: 'r1', caller: { type: 'admin' }, signal: new AbortController().signal } as const
    for (const numbers of [
      { temperature: null, top_p: null, seed: null },
      { temperature: 2, top_p: 0, seed: -1 },
    ]) {
      const body = { model: 'up/big', messages, ...numbers }
      expect((await open.gateway.chat.complete(call, { body, raw: undefined })).isOk()).toBe(true)
    }
  })
})

describe('complete chat answer', () => {
  it("relays the upstream's answer byte for byte", async () => {
    const answer = completionText.replace('"Hi"', '"H\\u0069 \\ud83d\\ude00"  ')
    const open = openGateway({ providers: [fakeProvider({ complete: () => encodedAnswer(answer) })] })
    const { secret } = await open.key()
    const response = await open.chat(secret)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe(answer)
  })

  it("sends the client's own bytes upstream, except for the model and the timeout", async () => {
    const provider = fakeProvider()
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    const rest =
      '"top_k" : 5, "messages":[{"role":"user","content":"H\\u0069 \\ud800","cache":{"x":[1e3]}}] , "provider":{"order":["a"]}'
    const response = await open.send('/v1/chat/completions', {
      as: secret,
      body: `{"model":"up/big", ${rest}, "timeout":30}`,
    })
    expect(response.status).toBe(200)
    expect(provider.calls[0]?.sent).toBe(`{"model":"big", ${rest}}`)
    expect(provider.calls[0]?.context.requestId).toBe(response.headers.get('x-request-id'))
  })

  it('encodes a typed answer of the provider', async () => {
    const completion = JSON.parse(completionText)
    const provider = fakeProvider({ complete: () => ({ kind: 'completion', completion }) })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    expect(await (await open.chat(secret)).json()).toEqual(completion)
  })

  it("passes on the upstream's own headers, its limits under another name, and not the gateway's account there", async () => {
    const headers = {
      'openai-processing-ms': '12',
      'openai-organization': 'the-gateways-own',
      'openai-project': 'proj_1',
      'anthropic-organization-id': 'b1946ac9',
      'x-request-id': 'theirs',
      'x-ratelimit-remaining-requests': '4',
      'set-cookie': 'a=b',
      server: 'x',
    }
    const open = openGateway({ providers: [fakeProvider({ complete: () => ({ ...encodedAnswer(), headers }) })] })
    const { secret } = await open.key()
    const response = await open.chat(secret, {}, { headers: { 'x-request-id': 'mine-1' } })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-request-id': 'mine-1',
      'openai-processing-ms': '12',
      'x-upstream-request-id': 'theirs',
      'x-upstream-ratelimit-remaining-requests': '4',
      'x-ratelimit-remaining-requests': '999',
      'x-trivium-provider': 'up',
    })
    const dropped = ['set-cookie', 'server', 'openai-organization', 'openai-project', 'anthropic-organization-id']
    for (const name of dropped) expect(response.headers.has(name)).toBe(false)
  })

  it('gives a usage record with its tokens', async () => {
    const open = openGateway()
    const { secret, key } = await open.key()
    await open.chat(secret)
    expect(open.records).toMatchObject([
      {
        keyId: key.id,
        operation: 'chat',
        model: 'up/big',
        provider: 'up',
        streamed: false,
        inputTokens: 9,
        outputTokens: 2,
        estimated: false,
        partial: false,
        status: 200,
      },
    ])
  })

  it('gives a usage record with estimated tokens where the upstream reports none', async () => {
    const { usage: _, ...silent } = JSON.parse(completionText)
    const open = openGateway({ providers: [fakeProvider({ complete: () => encodedAnswer(JSON.stringify(silent)) })] })
    const { secret } = await open.key()
    await open.chat(secret, { messages: [{ role: 'user', content: 'x'.repeat(400) }] })
    expect(open.records).toMatchObject([{ inputTokens: 104, estimated: true, status: 200 }])
    expect(open.records[0]?.outputTokens).toBeGreaterThan(0)
  })
})

describe('streamed chat answer', () => {
  it('has headers that keep proxies from changing, storing and buffering it', async () => {
    const open = openGateway({
      providers: [
        fakeProvider({
          stream: () =>
            textStream(
              `data: ${JSON.stringify(delta('Hi'))}\n\n`,
              `data: ${JSON.stringify(finish)}\n\n`,
              'data: [DONE]\n\n',
            ),
        }),
      ],
    })
    const { secret } = await open.key()
    const response = await open.chat(secret, { stream: true })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(await response.text()).toBe(
      `data: ${JSON.stringify(delta('Hi'))}\n\ndata: ${JSON.stringify(finish)}\n\ndata: [DONE]\n\n`,
    )
  })

  it('relays line ends, comments, event names and fields that only some upstreams send', async () => {
    const stream = [
      ': OPENROUTER PROCESSING\n\n',
      'data: {"choices":[],"prompt_filter_results":[{"x":1}]}\r\n\r\n',
      'event: message\nid: 4\ndata: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}\n\n',
      'data: {"choices":[{"index":0,"delta":{"content":"é🔑"}}],"obfuscation":"x"}\r\r',
      `data: ${JSON.stringify({ ...finish, usage: { total_tokens: 3, prompt_tokens: 1, completion_tokens: 2 } })}\n\n`,
      'data: {"choices":[],"x_groq":{"id":"r","usage":{"prompt_tokens":1,"completion_tokens":2}}}\n\n',
      'data: [DONE]\n\n',
    ].join('')
    const open = openGateway({ providers: [fakeProvider({ stream: () => textStream(stream) })] })
    const { secret } = await open.key()
    expect(await (await open.chat(secret, { stream: true })).text()).toBe(stream)
    expect(open.records).toMatchObject([{ inputTokens: 1, outputTokens: 2, estimated: false }])
  })

  it('requests the usage from the upstream, and removes it for a client that did not request it', async () => {
    const provider = fakeProvider({
      stream: () =>
        textStream(
          ...[delta('Hi'), finish, usage].map((event) => `data: ${JSON.stringify(event)}\n\n`),
          'data: [DONE]\n\n',
        ),
    })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    const text = await (await open.chat(secret, { stream: true })).text()
    expect(JSON.parse(provider.calls[0]?.sent ?? '').stream_options).toEqual({ include_usage: true })
    expect(text).not.toContain('"usage":{')
    expect(open.records).toMatchObject([{ inputTokens: 9, outputTokens: 2, estimated: false, streamed: true }])
    const asked = await (await open.chat(secret, { stream: true, stream_options: { include_usage: true } })).text()
    expect(asked).toContain(`data: ${JSON.stringify(usage)}\n\n`)
  })

  it('sends no `stream_options` to an upstream that does not support them, and relays its usage', async () => {
    const provider = fakeProvider({
      asksStreamUsage: false,
      stream: () =>
        textStream(
          ...[delta('Hi'), finish, usage].map((event) => `data: ${JSON.stringify(event)}\n\n`),
          'data: [DONE]\n\n',
        ),
    })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    expect(await (await open.chat(secret, { stream: true })).text()).toContain('"usage":{')
    expect(JSON.parse(provider.calls[0]?.sent ?? '')).not.toHaveProperty('stream_options')
  })

  it('encodes typed chunks of the provider, with usage for clients that request it', async () => {
    const chunks = [delta('Hi'), finish, usage]
    const provider = fakeProvider({
      stream: () => ({
        kind: 'chunks',
        chunks: (async function* () {
          for (const chunk of chunks) yield chunk as never // chunks of the test
        })(),
      }),
    })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    const events = (list: readonly unknown[]) =>
      `${list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`
    expect(await (await open.chat(secret, { stream: true })).text()).toBe(events([delta('Hi'), finish]))
    const asked = await open.chat(secret, { stream: true, stream_options: { include_usage: true } })
    expect(await asked.text()).toBe(events(chunks))
    expect(open.records.map(({ outputTokens }) => outputTokens)).toEqual([2, 2])
  })

  it('splits a complete answer of the upstream into chunks', async () => {
    const completion = JSON.parse(completionText)
    completion.choices.push({
      index: 1,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      finish_reason: 'tool_calls',
    })
    const open = openGateway({ providers: [fakeProvider({ stream: () => ({ kind: 'completion', completion }) })] })
    const { secret } = await open.key()
    const text = await (await open.chat(secret, { stream: true, n: 2, stream_options: { include_usage: true } })).text()
    const events = text.split('\n\n').filter((line) => line !== '')
    expect(events.at(-1)).toBe('data: [DONE]')
    const chunks = events.slice(0, -1).map((line) => JSON.parse(line.replace('data: ', '')))
    expect(chunks.map(({ choices }) => [choices[0]?.index, choices[0]?.delta, choices[0]?.finish_reason])).toEqual([
      [0, { role: 'assistant', content: '' }, null],
      [0, { role: 'assistant', content: 'Hi', refusal: null }, null],
      [0, {}, 'stop'],
      [1, { role: 'assistant', content: '' }, null],
      [
        1,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        null,
      ],
      [1, {}, 'tool_calls'],
      [undefined, undefined, undefined],
    ])
    for (const chunk of chunks) expect(chunk.object).toBe('chat.completion.chunk')
    expect(chunks.map(({ usage: reported }) => reported)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      completion.usage,
    ])
  })

  it('ends in an error event where its typed source fails', async () => {
    const provider = fakeProvider({
      stream: () => ({
        kind: 'chunks',
        chunks: (async function* () {
          yield delta('Hi') as never // a chunk of the test
          throw new ProviderFailure({ type: 'interrupted', message: 'The connection was reset.' })
        })(),
      }),
    })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    const text = await (await open.chat(secret, { stream: true })).text()
    expect(text).toContain('"code":"upstream_incomplete"')
    expect(text).not.toContain('[DONE]')
    expect(open.records).toMatchObject([{ status: 502, partial: true, estimated: true, outputTokens: 1 }])
  })

  it('becomes an error response where the upstream fails before the first event', async () => {
    const live = new LiveStream()
    const open = openGateway({ providers: [fakeProvider({ stream: () => live.stream })], retries: { retries: 0 } })
    const { secret } = await open.key()
    const answer = open.chat(secret, { stream: true })
    await live.started
    live.sendText(': waiting\n\n')
    live.send({ error: { message: 'Too many', type: 'requests', code: 'rate_limit_exceeded' } })
    const response = await answer
    expect(response.headers.get('content-type')).toContain('application/json')
    await expectFailure(response, 429, { message: 'Too many', type: 'requests', code: 'rate_limit_exceeded' })
    expect(live.cancelled).toBe(true)
  })

  it('emits an event with the time to its first event', async () => {
    const live = new LiveStream()
    const open = openGateway({ providers: [fakeProvider({ stream: () => live.stream })] })
    const firstBytes: number[] = []
    open.gateway.events.on('request.first-byte', (_, milliseconds) => firstBytes.push(milliseconds))
    const { secret } = await open.key()
    const answer = open.chat(secret, { stream: true })
    await live.started
    live.send(delta('Hi'), finish, '[DONE]')
    await (await answer).text()
    expect(firstBytes).toEqual([open.records[0]?.firstTokenMs])
  })
})
