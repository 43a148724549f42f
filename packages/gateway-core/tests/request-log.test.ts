import { setTimeout } from 'node:timers/promises'
import { patternsGuardrail } from '@trivium/gateway-core'
import { memoryRequestLog } from '@trivium/gateway-core/memory'
import { type Guardrail, ProviderFailure, type RequestLogRepository } from '@trivium/gateway-core/ports'
import { describe, expect, it, vi } from 'vitest'
import { compilePatterns } from '../src/patterns/compile-patterns.ts'
import { AnswerReader } from '../src/request-log/answer-reader.ts'
import { AnswerTexts } from '../src/request-log/answer-texts.ts'
import { CapturedContent } from '../src/request-log/captured-content.ts'
import { refusalStatus } from '../src/request-log/refusal-status.ts'
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
import { ADMIN, expectFailure, type OpenGateway, openGateway } from './open-gateway.ts'

const unreachable = () => {
  throw new ProviderFailure({ type: 'unreachable', message: 'No route to ***' })
}

const logOf = async (open: OpenGateway, query = '') => (await open.send(`/v1/requests${query}`, { as: ADMIN })).json()

/** Returns the newest entry with its texts. */
async function newest(open: OpenGateway) {
  const { data } = await logOf(open, '?limit=1')
  return (await open.send(`/v1/requests/${data[0]?.id}`, { as: ADMIN })).json()
}

const events = (...all: readonly object[]) =>
  textStream(`${all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)

describe('the request log', () => {
  it('logs nothing by default', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    await open.chat(secret)
    expect(await logOf(open)).toEqual({ object: 'list', enabled: false, data: [], has_more: false, next: null })
  })

  it('has who sent a request, what it used, and its route, without texts', async () => {
    const open = openGateway({ requestLog: {}, prices: { 'up/big': { input: 1, output: 10 } } })
    const { secret, key } = await open.key({ tags: ['blue'] })
    const answer = await open.chat(secret, {}, { headers: { 'x-request-id': 'my-request' } })
    expect(answer.headers.get('x-request-id')).toBe('my-request')
    const { enabled, data } = await logOf(open)
    expect([enabled, data.length]).toEqual([true, 1])
    expect(data[0]).toMatchObject({
      object: 'request',
      id: open.records[0]?.id,
      request_id: 'my-request',
      at: new Date(open.time).toISOString(),
      caller: 'key',
      key_id: key.id,
      person_id: key.userId,
      tags: ['blue'],
      operation: 'chat',
      model: 'up/big',
      provider: 'up',
      upstream_model: 'big',
      status: 200,
      error: null,
      streamed: false,
      partial: false,
      estimated: false,
      cache_hit: false,
      input_tokens: 9,
      output_tokens: 2,
      cost: '0.000029',
      attempts: [
        {
          provider: 'up',
          upstream_model: 'big',
          cause: 'first',
          passed_over: null,
          status: 200,
          error: null,
        },
      ],
      omitted_attempts: 0,
    })
    expect(data[0]).not.toHaveProperty('prompt')
    expect(await newest(open)).toMatchObject({ prompt: null, answer: null })
  })

  it('has each attempt of a route, with retries, fallbacks and upstreams that were passed over', async () => {
    const open = openGateway({
      requestLog: {},
      providers: [
        fakeProvider({ id: 'down', complete: unreachable }),
        fakeProvider({ complete: () => encodedAnswer() }),
      ],
      models: { route: { targets: [{ model: 'down/big' }], fallbacks: ['up/big'] } },
      retries: { backoffMs: 0 },
      circuit: { failures: 1 },
    })
    const { secret } = await open.key()
    await open.chat(secret, { model: 'route' })
    await open.chat(secret, { model: 'route' })
    const { data } = await logOf(open)
    const failed = { provider: 'down', status: 502, error: { type: 'unreachable', message: 'No route to ***' } }
    expect(data[1]).toMatchObject({
      model: 'route',
      provider: 'up',
      attempts: [
        { ...failed, cause: 'first' },
        { ...failed, cause: 'retry' },
        { provider: 'up', cause: 'fallback', status: 200, error: null },
      ],
    })
    expect(data[0].attempts).toMatchObject([
      { provider: 'down', cause: 'first', passed_over: 'circuit_open', status: 503, duration_ms: 0 },
      { provider: 'up', cause: 'fallback', status: 200 },
    ])
  })

  it('bounds the attempts of an entry, and counts the others', async () => {
    const open = openGateway({
      requestLog: {},
      providers: [fakeProvider({ complete: unreachable })],
      retries: { retries: 59, backoffMs: 0 },
    })
    const { secret } = await open.key()
    await open.chat(secret)
    const entry = await newest(open)
    expect([entry.attempts.length, entry.omitted_attempts, entry.error.message]).toEqual([50, 10, 'No route to ***'])
  })

  it('has the error of a failed request, and the failure of a stream', async () => {
    const live = new LiveStream()
    const open = openGateway({
      requestLog: {},
      providers: [fakeProvider({ complete: unreachable, stream: () => live.stream })],
      retries: { retries: 0 },
    })
    const { secret } = await open.key()
    await open.chat(secret)
    expect(await newest(open)).toMatchObject({
      status: 502,
      error: { type: 'unreachable', message: 'No route to ***' },
    })
    const streamed = open.chat(secret, { stream: true })
    await live.started
    live.send(delta('Hi'))
    const answer = await streamed
    live.fail({ type: 'interrupted', message: 'Cut', retryable: true, beforeFirstByte: false })
    await answer.text()
    open.time += 1
    const { data } = await logOf(open, '?status=5xx')
    expect(data).toHaveLength(2)
    expect(data.find(({ streamed: isStream }: { streamed: boolean }) => isStream)).toMatchObject({
      status: 502,
      partial: true,
      error: { type: 'interrupted', message: 'Cut' },
      attempts: [{ status: 502, error: { type: 'interrupted', message: 'Cut' } }],
    })
  })

  it.each([
    ['an unknown model', {}, { model: 'up/none' }, 404, 'model-not-found', null],
    ['a model that a policy refuses', { policy: { models: ['other'] } }, {}, 403, 'model-not-allowed', 'key'],
    [
      'an operation that a policy refuses',
      { policy: { endpoints: ['search'] } },
      {},
      403,
      'endpoint-not-allowed',
      'key',
    ],
    ['a limit of tokens', { budget: { tokensPerDay: 1 } }, {}, 400, 'tokens-exceed-limit', null],
  ])('has a request that was refused because of %s', async (_, rules, body, status, type, holder) => {
    const open = openGateway({ requestLog: {}, providers: [fakeProvider({ models: ['big'] })] })
    const { secret, key } = await open.key(rules)
    expect((await open.chat(secret, body)).status).toBe(status)
    expect((await logOf(open)).data).toMatchObject([
      {
        key_id: key.id,
        operation: 'chat',
        status,
        error: { type, message: null },
        refused_by: holder,
        attempts: [],
        provider: null,
        cost: null,
      },
    ])
    expect(open.records).toEqual([])
  })

  it('has at most 5 refused requests of a caller in a second, and reports how many were left out', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const open = openGateway({ requestLog: {} })
      const dropped: unknown[] = []
      open.gateway.events.on('request-log.dropped', (...what) => dropped.push(what))
      const [one, other] = [await open.key({ rateLimit: 1 }), await open.key({ rateLimit: 1, username: 'bob' })]
      for (let request = 0; request < 9; request += 1) await open.chat(one.secret)
      for (let request = 0; request < 3; request += 1) await open.chat(other.secret)
      const limited = (await logOf(open, '?status=429')).data
      expect(limited.map(({ person_id: id }: { person_id: string }) => id === one.key.userId)).toHaveLength(7)
      expect(dropped).toEqual([
        [1, 'refusals'],
        [1, 'refusals'],
        [1, 'refusals'],
      ])
      vi.advanceTimersByTime(1_000)
      await open.chat(one.secret)
      expect((await logOf(open, '?status=429')).data).toHaveLength(8)
      expect((await logOf(open, '?status=429')).data[0]).toMatchObject({ refused_by: 'key', model: null })
    } finally {
      vi.useRealTimers()
    }
  })

  it('knows the status of each refusal', async () => {
    const open = openGateway({ requestLog: {} })
    const { secret } = await open.key({ rateLimit: 1 })
    await open.chat(secret)
    expect((await open.chat(secret)).status).toBe(refusalStatus['rate-limited'])
  })

  it('leaves out a part of the successful requests, and no failed one', async () => {
    const draws = [0.6, 0.4, 0.9]
    const open = openGateway({ requestLog: { sample: 0.5 }, random: () => draws.shift() ?? 0 })
    const { secret } = await open.key()
    for (const id of ['a', 'b', 'c']) await open.chat(secret, {}, { headers: { 'x-request-id': id } })
    await open.chat(secret, { model: 'absent' })
    const { data } = await logOf(open)
    expect(
      data.map(({ request_id: id, status }: { request_id: string; status: number }) => [id.length, status]),
    ).toEqual(
      expect.arrayContaining([
        [1, 200],
        [expect.any(Number), 404],
      ]),
    )
    expect(data).toHaveLength(2)
  })

  it('has answers of the cache', async () => {
    const open = openGateway({ requestLog: { content: true }, answerCache: {} })
    const { secret } = await open.key()
    for (let request = 0; request < 2; request += 1) await open.chat(secret)
    const { data } = await logOf(open)
    const hit = data.find(({ cache_hit: isHit }: { cache_hit: boolean }) => isHit)
    expect(hit).toMatchObject({ attempts: [], status: 200, provider: null, cost: '0' })
    const detail = await (await open.send(`/v1/requests/${hit.id}`, { as: ADMIN })).json()
    expect([detail.prompt.text, detail.answer.text]).toEqual(['user: Hello', 'Hi'])
  })

  it('drops what the store does not accept, without an effect on requests, and reports it', async () => {
    const broken: RequestLogRepository = {
      ...memoryRequestLog(),
      append: () => Promise.reject(new Error('The store is full')),
    }
    const open = openGateway({ requestLog: { capacity: 2 }, repositories: { requestLog: broken } })
    const dropped: unknown[] = []
    open.gateway.events.on('request-log.dropped', (...what) => dropped.push(what))
    const { secret } = await open.key()
    for (let request = 0; request < 3; request += 1) expect((await open.chat(secret)).status).toBe(200)
    expect(dropped).toEqual([[1, 'queue-full']])
    await open.gateway.close()
    expect(dropped).toEqual([
      [1, 'queue-full'],
      [2, 'closed'],
    ])
    expect(open.faults.map(String)).toContain('StoreFailure: The store is unavailable')
  })

  it.each([
    [{ sample: 2 }, RangeError, "'requestLog.sample' must be a number from 0 to 1, not 2"],
    [{ days: 0 }, RangeError, "'requestLog.days'"],
    [{ maxContentBytes: 2 ** 19 }, RangeError, "'requestLog.maxContentBytes'"],
    [{ capacity: 0 }, RangeError, "'requestLog.capacity'"],
    [{ redact: ['emails'] }, TypeError, "There is no pattern 'emails'"],
    [{ redactExpressions: { order: '(' } }, TypeError, "The pattern 'order' is not a regular expression"],
    [{ contents: true }, TypeError, "'contents'"],
  ])('refuses the options %j', (requestLog, type, message) => {
    const create = () => openGateway({ requestLog: requestLog as object })
    expect(create).toThrow(type)
    expect(create).toThrow(message)
  })
})

describe('texts in the request log', () => {
  it('stores the prompt and the answer of a chat completion, whole and streamed', async () => {
    const stream = () => events(delta('Grü'), delta('ße'), finish, usage)
    const open = openGateway({ requestLog: { content: true }, providers: [fakeProvider({ stream })] })
    const { secret } = await open.key()
    const messages = [
      { role: 'system', content: 'Be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ]
    const prompt = { text: 'system: Be brief\nuser: What is this?\n[image_url]', truncated: false }
    await open.chat(secret, { messages })
    expect(await newest(open)).toMatchObject({ prompt, answer: { text: 'Hi', truncated: false } })
    open.time += 1
    await (await open.chat(secret, { messages, stream: true })).text()
    expect(await newest(open)).toMatchObject({ prompt, answer: { text: 'Grüße', truncated: false } })
  })

  it('stores those of responses and messages, also where they are translated', async () => {
    const open = openGateway({
      requestLog: { content: true },
      providers: [fakeProvider({ stream: () => events(delta('Hel'), delta('lo'), finish, usage) })],
    })
    const { secret } = await open.key()
    for (const stream of [false, true]) {
      for (const [path, body] of [
        ['/v1/responses', { model: 'up/big', input: 'Say hello', instructions: 'Be brief', stream }],
        [
          '/v1/messages',
          {
            model: 'up/big',
            max_tokens: 9,
            system: 'Be brief',
            messages: [{ role: 'user', content: 'Say hello' }],
            stream,
          },
        ],
      ] as const) {
        open.time += 1
        const answer = await open.send(path, { as: secret, body })
        expect(answer.status).toBe(200)
        await answer.text()
        const entry = await newest(open)
        expect(entry.prompt.text).toMatch(/^system: Be brief\n(?:user: )?Say hello$/)
        expect(entry.answer).toEqual({ text: stream ? 'Hello' : 'Hi', truncated: false })
      }
    }
  })

  it('stores the calls of tools', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }
    const answer = { role: 'assistant', content: null, refusal: null, tool_calls: [call] }
    const text = JSON.stringify({
      ...JSON.parse(completionText),
      choices: [{ index: 0, message: answer, finish_reason: 'tool_calls' }],
    })
    const open = openGateway({
      requestLog: { content: true },
      providers: [fakeProvider({ complete: () => encodedAnswer(text) })],
    })
    const { secret } = await open.key()
    const messages = [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
    ]
    await open.chat(secret, { messages })
    expect(await newest(open)).toMatchObject({
      prompt: { text: 'user: Weather?\nassistant: [call weather] {"city":"Rome"}\ntool: Sunny' },
      answer: { text: '[call weather] {"city":"Rome"}' },
    })
  })

  it('bounds them: a prompt keeps its newest messages, an answer its beginning', async () => {
    const stream = () => events(delta('abc'), delta('ü'.repeat(2_000)), finish, usage)
    const open = openGateway({
      requestLog: { content: true, maxContentBytes: 20 },
      providers: [fakeProvider({ stream })],
    })
    const { secret } = await open.key()
    const messages = [
      { role: 'user', content: 'old '.repeat(500) },
      { role: 'user', content: 'newest' },
    ]
    const answer = await open.chat(secret, { messages, stream: true })
    expect(await answer.text()).toContain('ü'.repeat(2_000))
    expect(await newest(open)).toMatchObject({
      prompt: { text: 'user: o\nuser: newest', truncated: true },
      answer: { text: `abc${'ü'.repeat(8)}`, truncated: true },
    })
  })

  it('stores a part of an answer whose client left', async () => {
    const live = new LiveStream()
    const open = openGateway({
      requestLog: { content: true },
      providers: [fakeProvider({ stream: () => live.stream })],
    })
    const { secret } = await open.key()
    const streamed = open.chat(secret, { stream: true })
    await live.started
    live.send(delta('Once upon'))
    await (await streamed).body?.cancel()
    await vi.waitFor(() => expect(open.records).toHaveLength(1))
    expect(await newest(open)).toMatchObject({ status: 499, partial: true, answer: { text: 'Once upon' } })
  })

  it.each([false, true])('waits for guardrails that check an answer, streamed: %s', async (stream) => {
    const checking = Promise.withResolvers<void>()
    const passing = Promise.withResolvers<void>()
    const slow: Guardrail = {
      id: 'slow',
      on: ['output'],
      async check() {
        checking.resolve()
        await passing.promise
        return { type: 'pass' }
      },
    }
    const open = openGateway({
      requestLog: { content: true },
      guardrails: [slow],
      providers: [
        fakeProvider({
          complete: () => encodedAnswer(),
          stream: () => events(delta('Hi'), finish, usage),
        }),
      ],
    })
    const { secret } = await open.key()
    const answer = open.chat(secret, { stream }).then((response) => response.text())
    await checking.promise
    await vi.waitFor(() => expect(open.records).toHaveLength(1))
    expect((await logOf(open)).data).toEqual([])
    const heldMs = 20
    await setTimeout(heldMs)
    passing.resolve()
    await answer
    const entry = await newest(open)
    expect(entry).toMatchObject({ status: 200, error: null, answer: { text: 'Hi' } })
    expect(entry.latency_ms).toBeGreaterThanOrEqual(heldMs)
  })

  it.each([
    false,
    true,
  ])('names the guardrail that has stopped an answer, and has no text of it, streamed: %s', async (stream) => {
    for (const content of [false, true]) {
      const open = openGateway({
        requestLog: { content },
        guardrails: [patternsGuardrail({ id: 'no-cats', on: ['output'], words: ['cat'], action: 'block' })],
        providers: [
          fakeProvider({
            complete: () => encodedAnswer(completionText.replace('Hi', 'A cat')),
            stream: () => events(delta('A cat'), delta(' sat'), finish, usage),
          }),
        ],
      })
      const { secret } = await open.key()
      await (await open.chat(secret, { stream })).text()
      const entry = await newest(open)
      expect(entry).toMatchObject({ status: 200, attempts: [{ provider: 'up' }] })
      expect(entry.answer?.text ?? '').not.toContain('cat')
      expect(entry.error).toEqual({
        type: 'guardrail-blocked',
        message: "The guardrail 'no-cats' has stopped the answer: words.",
      })
      await open.gateway.close()
    }
  })

  it('masks them before they are stored, as errors are, also where they are cut', async () => {
    const append = vi.fn<RequestLogRepository['append']>(async () => undefined)
    const complete = () => {
      throw new ProviderFailure({ type: 'malformed', message: 'Bad: ada@example.com', retryable: false })
    }
    const open = openGateway({
      requestLog: {
        content: true,
        maxContentBytes: 64,
        redact: ['email', 'secret', 'card'],
        redactExpressions: { order: 'ORDER-[0-9]+' },
      },
      repositories: { requestLog: { ...memoryRequestLog(), append } },
      providers: [fakeProvider({ complete })],
    })
    const { secret } = await open.key()
    const content = `ORDER-12345 of ada@example.com with 4242 4242 4242 4242 and tvm_${'a'.repeat(40)}`
    await open.chat(secret, { messages: [{ role: 'user', content }] })
    await open.gateway.close()
    const stored = JSON.stringify(append.mock.calls)
    expect(stored).toContain('user: [ORDER] of [EMAIL] with [CARD] and [SECRET]')
    expect(stored).toContain('Bad: [EMAIL]')
    for (const leaked of ['12345', 'ada@', '4242', 'tvm_']) expect(stored).not.toContain(leaked)
  })

  it.each([
    [
      'two choices',
      ['sk-ant-api03', '-abcdefghijklmnop'].flatMap((content) =>
        [0, 1].map((index) => ({ choices: [{ index, delta: { content }, finish_reason: null }] })),
      ),
      '[SECRET]\n[SECRET]',
    ],
    [
      'two calls',
      ['{"key":"sk-ant-api03', '-abcdefghijklmnop"}'].flatMap((given, at) =>
        [0, 1].map((index) => {
          const call = { index, function: { ...(at === 0 && { name: 'save' }), arguments: given } }
          return { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }
        }),
      ),
      '[call save] {"key":"[SECRET]"}\n[call save] {"key":"[SECRET]"}',
    ],
  ])('masks each text of a stream as a whole where it has the pieces of %s in turn', async (_, pieces, text) => {
    const stream = () => events(...pieces, finish, usage)
    const open = openGateway({
      requestLog: { content: true, redact: ['secret'] },
      providers: [fakeProvider({ stream })],
    })
    const { secret } = await open.key()
    await (await open.chat(secret, { stream: true })).text()
    expect((await newest(open)).answer).toEqual({ text, truncated: false })
  })

  it('masks data in two blocks of a streamed message, and in a call whose name each event repeats', async () => {
    const pieces = ['sk-ant-api03', '-abcdefghijklmnop'].map((given) => {
      const call = { index: 0, id: 'call_1', function: { name: 'save', arguments: given } }
      return { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }
    })
    const blocks = ['ada@exam', 'ple.com'].flatMap((text, index) => [
      { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    ])
    for (const [sent, text] of [
      [pieces, '[call save] [SECRET]'],
      [blocks, '[EMAIL]'],
    ] as const) {
      const answer = new AnswerTexts(1_000)
      const reader = new AnswerReader(answer)
      for (const event of sent) reader.data(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
      reader.complete()
      const content = new CapturedContent(1_000)
      content.answer = answer
      const { maskInTurns } = compilePatterns({ names: ['secret', 'email'] })
      const stored = await content.texts((one, isCut) => maskInTurns(one, { isCut }))
      expect(stored).toEqual({ answer: { text, truncated: false } })
    }
  })

  it('stores no beginning of data of a stream that was cut', async () => {
    const open = openGateway({
      requestLog: { content: true, redact: ['card', 'secret'] },
      providers: [
        fakeProvider({
          stream: () => textStream(`data: ${JSON.stringify(delta('The card is 4242 4242 4242 424'))}\n\n`),
        }),
      ],
    })
    const { secret } = await open.key()
    await (await open.chat(secret, { stream: true })).text()
    const { partial, answer } = await newest(open)
    expect(partial).toBe(true)
    expect(answer.text).toMatch(/^The card is/)
    expect(answer.text).not.toContain('4242')
  })

  it('bounds the texts of an answer in their number', async () => {
    const pieces = Array.from({ length: 40 }, (_, index) => ({ choices: [{ index, delta: { content: `${index}` } }] }))
    const open = openGateway({
      requestLog: { content: true },
      providers: [fakeProvider({ stream: () => events(...pieces, finish, usage) })],
    })
    const { secret } = await open.key()
    await (await open.chat(secret, { stream: true })).text()
    const text = Array.from({ length: 32 }, (_, index) => index).join('\n')
    expect((await newest(open)).answer).toEqual({ text, truncated: true })
  })

  it('stores no beginning of data where a text is cut after much of it was masked', async () => {
    const content = `sk-ant-api03-${'a'.repeat(87)} `.repeat(100)
    const open = openGateway({
      requestLog: { content: true, maxContentBytes: 1_000, redact: ['secret'] },
      providers: [fakeProvider({ stream: () => events(delta(content), finish, usage) })],
    })
    const { secret } = await open.key()
    await (await open.chat(secret, { stream: true, messages: [{ role: 'user', content }] })).text()
    const { prompt, answer } = await newest(open)
    for (const stored of [prompt, answer]) {
      expect(stored.truncated).toBe(true)
      expect(stored.text).toContain('[SECRET] [SECRET]')
      expect(stored.text).not.toContain('sk-')
    }
  })

  it('masks data that the cut of the message of an error would divide', async () => {
    const message = `${'x'.repeat(490)} ada.lovelace@example.com`
    const complete = () => {
      throw new ProviderFailure({ type: 'malformed', message, retryable: false })
    }
    const open = openGateway({ requestLog: { redact: ['email'] }, providers: [fakeProvider({ complete })] })
    const { secret } = await open.key()
    await open.chat(secret)
    const { error, attempts } = await newest(open)
    const masked = `${'x'.repeat(490)} [EMAIL]`
    expect([error.message, attempts[0].error.message]).toEqual([masked, masked])
  })

  it('masks data that is written with escapes of JSON, and data in two parts of one message', async () => {
    const open = openGateway({
      requestLog: { content: true, redact: ['email', 'secret'] },
    })
    const { secret } = await open.key()
    const given = '{"to":"jane\\u0040example.com","key":"\\nsk-ant-api03-abcdefghijklmnop"}'
    const call = { id: 'call_1', type: 'function', function: { name: 'save', arguments: given } }
    await open.chat(secret, {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'I am ada@exam' },
            { type: 'text', text: 'ple.com with ' },
            { type: 'text', text: 'sk-ant-api03-abcdefghijklmnop' },
            { type: 'text', text: 'and {"key":"sk-\\u0061nt-api03' },
            { type: 'text', text: '-abcdefghijklmnop"}' },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: '{"nested":"{\\"of\\":\\"bob\\\\u0040example.com\\"}"}' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: 'two' },
          ],
        },
      ],
    })
    expect((await newest(open)).prompt.text).toBe(
      [
        'user: I am [EMAIL] with [SECRET]and {"key":"[SECRET]"}',
        'assistant: [call save] {"to":"[EMAIL]","key":"\n[SECRET]"}',
        'tool: {"nested":"{"of":"[EMAIL]"}"}',
        'user: One',
        'two',
      ].join('\n'),
    )
  })

  it('stores the text of a document of text, and names other documents', async () => {
    const open = openGateway({ requestLog: { content: true, redact: ['email'] } })
    const { secret } = await open.key()
    const content = [
      { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'ada@example.com' } },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'A block' }] } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
      { type: 'text', text: 'What is this?' },
    ]
    const body = { model: 'up/big', max_tokens: 9, messages: [{ role: 'user', content }] }
    await open.send('/v1/messages', { as: secret, body })
    expect((await newest(open)).prompt.text).toBe('user: Notes\n[EMAIL]\nA block\n[document]\nWhat is this?')
  })

  it('stores no credentials: neither headers nor keys', async () => {
    const append = vi.fn<RequestLogRepository['append']>(async () => undefined)
    const open = openGateway({
      requestLog: { content: true },
      repositories: { requestLog: { ...memoryRequestLog(), append } },
    })
    const { secret, key } = await open.key()
    await open.chat(secret, {}, { headers: { cookie: 'session=private', 'x-custom': 'private' } })
    await open.gateway.close()
    const stored = JSON.stringify(append.mock.calls)
    expect(stored).toContain('Hello')
    for (const leaked of [secret, key.hash, 'private']) expect(stored).not.toContain(leaked)
  })

  it('stores the prompt of an image, and of a request that was refused', async () => {
    const open = openGateway({
      requestLog: { content: true },
      providers: [
        fakeProvider({
          models: async () => [{ id: 'paint', kind: 'image', ownedBy: 'up', created: 1 }],
          images: {
            generate: async () => ({
              images: [{ bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47]), contentType: 'image/png' }],
            }),
          },
        }),
      ],
    })
    const { secret } = await open.key()
    await open.send('/v1/images/generations', { as: secret, body: { prompt: 'a cat' } })
    expect(await newest(open)).toMatchObject({ operation: 'image', prompt: { text: 'a cat' }, answer: null })
    open.time += 1
    await open.chat(secret, { model: 'up/none' })
    expect(await newest(open)).toMatchObject({ status: 404, prompt: { text: 'user: Hello' }, answer: null })
  })
})

describe('GET /v1/requests', () => {
  const filled = async () => {
    const open = openGateway({ requestLog: { content: true }, providers: [fakeProvider({ models: ['big', 'small'] })] })
    const [one, other] = [await open.key(), await open.key({ username: 'bob', tags: ['blue'] })]
    const say = async (secret: string, content: string, model = 'up/big') => {
      open.time += 1_000
      await open.chat(secret, { model, messages: [{ role: 'user', content }] })
    }
    await say(one.secret, 'one')
    await say(other.secret, 'two 100%')
    await say(one.secret, 'three', 'up/small')
    await say(one.secret, 'four', 'up/none')
    return { open, one, other }
  }

  it('refuses keys and unauthenticated callers', async () => {
    const open = openGateway({ requestLog: {} })
    const { secret } = await open.key()
    for (const path of ['/v1/requests', '/v1/requests/some-id', '/v1/requests?format=jsonl']) {
      expect((await open.send(path, { as: secret })).status).toBe(403)
      expect((await open.send(path)).status).toBe(401)
    }
  })

  it('selects by key, user, model, status, operation, tag, time and text', async () => {
    const { open, one, other } = await filled()
    const found = async (query: string) => (await logOf(open, `?${query}`)).data.length
    expect(await found('')).toBe(4)
    expect(await found(`key_id=${other.key.id}`)).toBe(1)
    expect(await found(`person_id=${one.key.userId}`)).toBe(3)
    expect(await found('user_id=ada')).toBe(0)
    expect(await found('team_id=none')).toBe(0)
    expect(await found('model=up%2Fsmall')).toBe(1)
    expect(await found('provider=up')).toBe(3)
    expect(await found('status=200')).toBe(3)
    expect(await found('status=4xx')).toBe(1)
    expect(await found('operation=embedding')).toBe(0)
    expect(await found('tag=blue')).toBe(1)
    expect(await found(`from=${new Date(open.time).toISOString()}`)).toBe(1)
    expect(await found(`to=${new Date(open.time).toISOString()}`)).toBe(3)
    expect(await found('q=THREE')).toBe(1)
    expect(await found('q=100%25')).toBe(1)
    expect(await found('q=10_%25')).toBe(0)
  })

  it('lists pages, the newest first, and exports all entries with their texts as JSON lines', async () => {
    const { open } = await filled()
    const first = await logOf(open, '?limit=3')
    expect(first.data.map(({ model }: { model: string }) => model)).toEqual(['up/none', 'up/small', 'up/big'])
    expect(first.has_more).toBe(true)
    const second = await logOf(open, `?limit=3&after=${encodeURIComponent(first.next)}`)
    expect([second.data.length, second.has_more, second.next]).toEqual([1, false, null])

    const exported = await open.send('/v1/requests?format=jsonl', { as: ADMIN })
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await exported.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ prompt }) => prompt.text)).toEqual(['user: four', 'user: three', 'user: two 100%', 'user: one'])
  })

  it('exports page by page, and stops where its reader leaves', async () => {
    const entry = memoryRequestLog({ capacity: 10_000 })
    const list = vi.fn(entry.list)
    const open = openGateway({ requestLog: {}, repositories: { requestLog: { ...entry, list } } })
    const { secret } = await open.key({ rateLimit: 100_000 })
    for (let request = 0; request < 350; request += 1) await open.chat(secret)
    const all = await (await open.send('/v1/requests?format=jsonl', { as: ADMIN })).text()
    expect(
      new Set(
        all
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).id),
      ).size,
    ).toBe(350)
    expect(list).toHaveBeenCalledTimes(4)
    list.mockClear()
    const reader = (await open.send('/v1/requests?format=jsonl', { as: ADMIN })).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(list.mock.calls.length).toBeLessThan(4)
  })

  it('returns an empty export of an empty log', async () => {
    const open = openGateway({ requestLog: {} })
    const exported = await open.send('/v1/requests?format=jsonl', { as: ADMIN })
    expect([exported.status, await exported.text()]).toEqual([200, ''])
  })

  it.each([
    ['from=tomorrow', 'from'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    [`key_id=${'k'.repeat(200)}`, 'key_id'],
    [`user_id=${'u'.repeat(200)}`, 'user_id'],
    ['key_id=a&user_id=b', 'user_id'],
    [`person_id=${'p'.repeat(129)}`, 'person_id'],
    [`team_id=${'t'.repeat(129)}`, 'team_id'],
    [`tag=${'t'.repeat(65)}`, 'tag'],
    [`model=${'m'.repeat(513)}`, 'model'],
    [`provider=${'p'.repeat(129)}`, 'provider'],
    ['status=99', 'status'],
    ['status=1xx', 'status'],
    ['status=200x', 'status'],
    ['operation=chats', 'operation'],
    [`q=${'q'.repeat(257)}`, 'q'],
    ['q=', 'q'],
    ['q=a%00b', 'q'],
    ['format=csv', 'format'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=1e2', 'limit'],
    ['format=jsonl&limit=10', 'limit'],
    ['after=1', 'after'],
    [`after=1.${'a'.repeat(65)}`, 'after'],
    [`after=${'9'.repeat(16)}.a`, 'after'],
  ])('refuses %s', async (query, param) => {
    const open = openGateway({ requestLog: {} })
    await expectFailure(await open.send(`/v1/requests?${query}`, { as: ADMIN }), 400, { param })
  })

  it('returns 404 for an entry that does not exist', async () => {
    const open = openGateway({ requestLog: {} })
    await expectFailure(await open.send('/v1/requests/none', { as: ADMIN }), 404, { code: 'request_not_found' })
  })

  it('checks what the method of the gateway itself gets', async () => {
    const { open } = await filled()
    const { requestLog } = open.gateway
    const all = { from: new Date(0), to: new Date(open.time + 1), limit: 10 }
    expect((await requestLog.list({ ...all, text: 'four' })).entries).toHaveLength(1)
    expect(() => requestLog.list({ ...all, limit: 0 })).toThrow("'limit' of 'list' must be at least 1.")
    expect(() => requestLog.find('' as never)).toThrow(RangeError)
  })
})
