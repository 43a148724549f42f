import { memoryAnswerCache } from '@trivium/gateway-core/memory'
import type { AnswerCache } from '@trivium/gateway-core/ports'
import { describe, expect, it, vi } from 'vitest'
import {
  completionText,
  delta,
  encodedAnswer,
  type FakeProviderOptions,
  fakeProvider,
  finish,
  textStream,
  usage,
} from '../fake-provider.ts'
import { ADMIN, type OpenGatewayOptions, openGateway, settled } from '../open-gateway.ts'

const data = (...events: readonly unknown[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

const completeStream = () => textStream(data(delta('Hi'), finish, usage, '[DONE]'))

function open({ provider: options, ...more }: OpenGatewayOptions & { readonly provider?: FakeProviderOptions } = {}) {
  const provider = fakeProvider({ stream: completeStream, ...options })
  const gateway = openGateway({ providers: [provider], answerCache: {}, ...more })
  return { gateway, provider, calls: provider.calls }
}

const cacheOf = (response: Response) => response.headers.get('x-trivium-cache')

const answerWith = (differences: object, message: object = {}) => {
  const { choices, ...rest } = JSON.parse(completionText)
  return encodedAnswer(
    JSON.stringify({
      ...rest,
      choices: [{ ...choices[0], message: { ...choices[0].message, ...message } }],
      ...differences,
    }),
  )
}

describe('the answer cache', () => {
  it('answers an equal request without an upstream, with its age and the same bytes', async () => {
    const { gateway, calls } = open()
    const { secret } = await gateway.key()
    const first = await gateway.chat(secret)
    gateway.time += 2_500
    const second = await gateway.chat(secret, { user: 'someone', metadata: {}, prompt_cache_key: 'k', timeout: 5 })
    expect([cacheOf(first), first.headers.get('age')]).toEqual(['miss', null])
    expect([cacheOf(second), second.headers.get('age'), second.headers.get('x-trivium-provider')]).toEqual([
      'hit',
      '2',
      'up',
    ])
    expect(await second.json()).toEqual(await first.json())
    expect(calls).toHaveLength(1)
  })

  it('passes each request to an upstream by default', async () => {
    const { gateway, calls } = openWithout()
    const { secret } = await gateway.key()
    const answers = [await gateway.chat(secret), await gateway.chat(secret)]
    expect(answers.map(cacheOf)).toEqual([null, null])
    expect(calls).toHaveLength(2)
  })

  it('forgets an answer after its time', async () => {
    const { gateway, calls } = open({ answerCache: { ttlSeconds: 10 } })
    const { secret } = await gateway.key()
    await gateway.chat(secret)
    gateway.time += 9_999
    expect(cacheOf(await gateway.chat(secret))).toBe('hit')
    gateway.time += 1
    expect(cacheOf(await gateway.chat(secret))).toBe('miss')
    expect(calls).toHaveLength(2)
  })

  it('forgets answers from a time that has not come, and those that are older than a shorter time to live', async () => {
    const answerCache = memoryAnswerCache()
    const { gateway } = open({ repositories: { answerCache } })
    const { secret } = await gateway.key()
    gateway.time += 86_400_000
    await gateway.chat(secret)
    gateway.time -= 86_400_000
    expect(cacheOf(await gateway.chat(secret))).toBe('miss')
    const shorter = open({ answerCache: { ttlSeconds: 5, scope: 'key' }, repositories: gateway.repositories })
    shorter.gateway.time = gateway.time + 4_000
    expect(cacheOf(await shorter.gateway.chat(secret))).toBe('hit')
    shorter.gateway.time = gateway.time + 6_000
    expect(cacheOf(await shorter.gateway.chat(secret))).toBe('miss')
  })

  it('counts a hit as a request without tokens', async () => {
    const { gateway } = open()
    const { secret, key } = await gateway.key({ rateLimit: 3, budget: { tokensPerMinute: 2_000 } })
    await gateway.chat(secret)
    await gateway.chat(secret)
    expect(gateway.records.at(-1)).toMatchObject({
      operation: 'chat',
      model: 'up/big',
      keyId: key.id,
      inputTokens: 0,
      outputTokens: 0,
      estimated: false,
      status: 200,
      cacheHit: true,
    })
    expect(gateway.records.at(0)).not.toHaveProperty('cacheHit')
    expect(gateway.records.at(-1)).not.toHaveProperty('provider')
    expect(await gateway.gateway.budgets.inspect(key)).toMatchObject({ minute: 11 })
    const streamed = await gateway.chat(secret, { stream: true })
    await streamed.text()
    expect(cacheOf(streamed)).toBe('hit')
    expect(gateway.records.at(-1)).toMatchObject({ streamed: true, firstTokenMs: expect.any(Number), cacheHit: true })
    expect((await gateway.chat(secret)).status).toBe(429)
  })

  it('measures hits', async () => {
    const measured: string[] = []
    const { gateway } = open({ metrics: { record: ({ name }) => measured.push(name) } })
    const { secret } = await gateway.key()
    for (let round = 0; round < 3; round += 1) await gateway.chat(secret)
    expect(measured.filter((name) => name === 'trivium.gateway.cached.answers')).toHaveLength(2)
    expect(measured.filter((name) => name === 'trivium.gateway.requests')).toHaveLength(3)
  })

  it('distinguishes everything that changes the answer', async () => {
    const { gateway, calls } = open({ forwardHeaders: ['x-variant'] })
    const { secret } = await gateway.key()
    const requests: (readonly [Record<string, unknown>, Record<string, string>])[] = [
      [{}, {}],
      [{ temperature: 0 }, {}],
      [{ temperature: 1 }, {}],
      [{ n: 1 }, {}],
      [{ messages: [{ role: 'user', content: 'Hello ' }] }, {}],
      [{ messages: [{ role: 'system', content: 'Hello' }] }, {}],
      [{ model: 'big' }, {}],
      [{}, { 'anthropic-beta': 'context-1m' }],
      [{}, { 'x-variant': 'b' }],
    ]
    for (const [body, headers] of requests) expect(cacheOf(await gateway.chat(secret, body, { headers }))).toBe('miss')
    for (const [body, headers] of requests) expect(cacheOf(await gateway.chat(secret, body, { headers }))).toBe('hit')
    expect(calls).toHaveLength(requests.length)
  })

  it('sends upstreams what the key was made of, and no duplicate members', async () => {
    const { gateway, calls } = open()
    const { secret } = await gateway.key()
    const message = (content: string) => JSON.stringify([{ role: 'user', content }])
    const body = `{"model":"up/big","messages":${message('Other')},"messages":${message('Hello')}}`
    await gateway.send('/v1/chat/completions', { as: secret, body })
    expect(calls[0]?.sent).not.toContain('Other')
  })
})

function openWithout() {
  const provider = fakeProvider()
  return { gateway: openGateway({ providers: [provider] }), calls: provider.calls }
}

describe('a cached answer', () => {
  const hitOfOther = async (scope: 'key' | 'team' | 'all' | undefined) => {
    const { gateway } = open({ answerCache: scope === undefined ? {} : { scope } })
    const [one, other] = [await gateway.key(), await gateway.key({ username: 'bob' })]
    await gateway.chat(one.secret)
    return cacheOf(await gateway.chat(other.secret))
  }

  it('reaches the same key only by default', async () => expect(await hitOfOther(undefined)).toBe('miss'))
  it('reaches the same key only where the key has no team', async () => expect(await hitOfOther('team')).toBe('miss'))
  it('reaches all callers where the scope is all', async () => expect(await hitOfOther('all')).toBe('hit'))

  it('reaches the same user of the host only, and not the admin', async () => {
    const { gateway } = open({
      routes: {
        authorize: {
          createChatCompletion: ({ headers }) => {
            const id = headers['x-user']
            return typeof id === 'string' ? { type: 'user', id } : 'default'
          },
        },
      },
    })
    const chatAs = (user: string) => gateway.chat('none', {}, { headers: { 'x-user': user } })
    expect([cacheOf(await chatAs('1')), cacheOf(await chatAs('2')), cacheOf(await chatAs('1'))]).toEqual([
      'miss',
      'miss',
      'hit',
    ])
    expect(cacheOf(await gateway.chat(ADMIN))).toBe('miss')
  })

  it('reaches no request whose route leads to other models', async () => {
    const answerCache = memoryAnswerCache()
    const chatOver = async (target: string) => {
      const providers = [fakeProvider(), fakeProvider({ id: 'other' })]
      const gateway = openGateway({
        providers,
        models: { fast: target },
        answerCache: { scope: 'all' },
        repositories: { answerCache },
      })
      const { secret } = await gateway.key()
      return cacheOf(await gateway.chat(secret, { model: 'fast' }))
    }
    expect(await chatOver('up/big')).toBe('miss')
    expect(await chatOver('up/big')).toBe('hit')
    expect(await chatOver('other/big')).toBe('miss')
  })
})

describe('the cache-control of a client', () => {
  const ask = async (...controls: readonly string[]) => {
    const { gateway } = open()
    const { secret } = await gateway.key()
    const answers: (string | null)[] = []
    for (const control of controls) {
      answers.push(
        cacheOf(await gateway.chat(secret, {}, control === '' ? {} : { headers: { 'cache-control': control } })),
      )
      gateway.time += 5_000
    }
    return answers
  }

  it('neither reads nor stores with no-store', async () => {
    expect(await ask('no-store', '', 'No-Store, max-age=1', '')).toEqual([null, 'miss', null, 'hit'])
  })

  it('stores, and does not read, with no-cache', async () => {
    expect(await ask('no-cache', '', 'no-cache', '')).toEqual(['miss', 'hit', 'miss', 'hit'])
  })

  it('limits the age with max-age', async () => {
    expect(await ask('', 'max-age=5', 'max-age=9', '', 'max-age=0')).toEqual(['miss', 'hit', 'miss', 'hit', 'miss'])
  })
})

describe('the answer cache and its requests', () => {
  const messages = [{ role: 'user', content: 'Hello' }]
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }

  it.each([
    ['a tool of the upstream', { tools: [tool, { type: 'web_search' }] }],
    ['web search', { web_search_options: {} }],
    ['plugins', { plugins: [{ id: 'web' }] }],
    ['an answer that the upstream stores', { store: true }],
    ['audio', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }],
    ['a number that is not exact', { vendor_number: 2 ** 53 }],
    ['more than 1 MiB', { messages: [{ role: 'user', content: 'a'.repeat(2 ** 20) }] }],
  ])('passes by a request with %s', async (_, differences) => {
    const { gateway, calls } = open()
    const { secret } = await gateway.key()
    const ask = () => gateway.chat(secret, { messages, ...differences })
    const answers = [await ask(), await ask()]
    expect(answers.map(cacheOf)).toEqual([null, null])
    expect(calls).toHaveLength(2)
  })

  it('answers a request with functions that the client calls', async () => {
    const { gateway } = open()
    const { secret } = await gateway.key()
    await gateway.chat(secret, { tools: [tool] })
    expect(cacheOf(await gateway.chat(secret, { tools: [tool] }))).toBe('hit')
  })

  it.each([
    ['is stored', {}],
    ['continues another one', { store: false, previous_response_id: 'resp_1' }],
    ['refers to items', { store: false, input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['searches', { store: false, tools: [{ type: 'web_search' }] }],
  ])('passes by a response that %s', async (_, differences) => {
    const { gateway } = open()
    const { secret } = await gateway.key()
    const ask = () =>
      gateway.send('/v1/responses', { as: secret, body: { model: 'up/big', input: 'Hello', ...differences } })
    expect([cacheOf(await ask()), cacheOf(await ask())]).toEqual([null, null])
  })
})

describe('the answer cache and its answers', () => {
  it.each([
    [
      'refused by a filter',
      { choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'content_filter' }] },
      {},
    ],
    ['refused by the model', {}, { refusal: 'I cannot' }],
    ['without usage', { usage: null }, {}],
    ['larger than the limit', {}, { content: 'a'.repeat(2_000) }],
  ])('stores no answer that is %s', async (_, differences, message) => {
    const { gateway, calls } = open({
      answerCache: { maxAnswerBytes: 2_000 },
      provider: { complete: () => answerWith(differences, message) },
    })
    const { secret } = await gateway.key()
    await gateway.chat(secret)
    await gateway.chat(secret)
    expect(calls).toHaveLength(2)
  })

  it.each([
    ['cut', data(delta('Hi'))],
    ['failed', data(delta('Hi'), { error: { message: 'Busy' } })],
    ['without usage', data(delta('Hi'), finish, '[DONE]')],
    ['larger than the limit', data(delta('a'.repeat(2_001)), finish, usage, '[DONE]')],
    [
      'of deltas that cannot be joined',
      data(
        { ...delta(''), choices: [{ index: 0, delta: { details: 'a' } }] },
        { ...delta(''), choices: [{ index: 0, delta: { details: 'b' } }] },
        finish,
        usage,
        '[DONE]',
      ),
    ],
  ])('stores no stream that is %s', async (_, text) => {
    const { gateway, calls } = open({
      answerCache: { maxAnswerBytes: 2_000 },
      provider: { stream: () => textStream(text) },
    })
    const { secret } = await gateway.key()
    for (let round = 0; round < 2; round += 1) {
      await (await gateway.chat(secret, { stream: true })).text()
      await settled()
    }
    expect(calls).toHaveLength(2)
  })

  it('stores nothing that was cut by a limit that its client has not set', async () => {
    const cut = answerWith({ choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'length' }] })
    const { gateway, calls } = open({ provider: { complete: () => cut } })
    const { secret } = await gateway.key()
    for (const own of [{}, {}, { max_tokens: 5 }, { max_tokens: 5 }]) await gateway.chat(secret, own)
    expect(calls).toHaveLength(3)
  })

  it.each([false, true])('stores nothing that was limited by the money of its caller, streamed: %j', async (stream) => {
    const { gateway, calls } = open({ prices: { 'up/*': { input: 1, output: 10 } }, answerCache: { scope: 'all' } })
    const poor = await gateway.key(JSON.parse('{"budget":{"spend":{"most":20000000,"period":"total"}}}'))
    const rich = await gateway.key()
    const ask = async (as: string) => {
      const answer = await gateway.chat(as, { stream })
      await answer.text()
      await settled()
      return cacheOf(answer)
    }
    expect([await ask(poor.secret), await ask(rich.secret), await ask(poor.secret)]).toEqual(['miss', 'miss', 'hit'])
    expect(calls).toHaveLength(2)
  })

  it('stores no stream whose client leaves before the end', async () => {
    const live = () => ({
      kind: 'encoded' as const,
      start: (receiver: { data(bytes: Uint8Array): boolean }) => {
        receiver.data(new TextEncoder().encode(data(delta('Hi'))))
        return { resume: () => undefined, cancel: () => undefined }
      },
    })
    const { gateway, calls } = open({ provider: { stream: live } })
    const { secret } = await gateway.key()
    const left = await gateway.chat(secret, { stream: true })
    await left.body?.cancel()
    await settled()
    expect(cacheOf(await gateway.chat(secret))).toBe('miss')
    expect(calls).toHaveLength(2)
  })
})

describe('a cached response', () => {
  it('repeats the metadata of each request, and stores none', async () => {
    const answerCache = memoryAnswerCache()
    const save = vi.spyOn(answerCache, 'save')
    const { gateway, calls } = open({ answerCache: { scope: 'all' }, repositories: { answerCache } })
    const [one, other] = [await gateway.key(), await gateway.key({ username: 'bob' })]
    const ask = async (as: string, topic: string) => {
      const body = { model: 'up/big', input: 'Hello', store: false, metadata: { topic } }
      return (await gateway.send('/v1/responses', { as, body })).json()
    }
    const first = await ask(one.secret, 'secret tea')
    const second = await ask(other.secret, 'coffee')
    expect([first.metadata, second.metadata]).toEqual([{ topic: 'secret tea' }, { topic: 'coffee' }])
    expect(second.id).toBe(first.id)
    expect(JSON.stringify(save.mock.calls)).not.toContain('secret tea')
    expect(calls).toHaveLength(1)
  })
})

describe('the store of answers', () => {
  const failing = (more: Partial<AnswerCache> = {}): AnswerCache => ({
    ...memoryAnswerCache(),
    find: () => Promise.reject(new Error('The store failed')),
    save: () => Promise.reject(new Error('The store failed')),
    ...more,
  })

  it('fails no request, and its failures are reported once', async () => {
    const { gateway } = open({ repositories: { answerCache: failing() } })
    const { secret } = await gateway.key()
    for (let round = 0; round < 3; round += 1) {
      const response = await gateway.chat(secret)
      expect([response.status, cacheOf(response)]).toEqual([200, 'miss'])
    }
    expect(gateway.faults).toHaveLength(1)
  })

  it('delays a request for at most 250 ms', async () => {
    const find = vi.fn<AnswerCache['find']>(() => new Promise(() => undefined))
    const { gateway } = open({ repositories: { answerCache: failing({ find, save: () => undefined }) } })
    const { secret } = await gateway.key()
    expect((await gateway.chat(secret)).status).toBe(200)
    expect((await gateway.chat(secret)).status).toBe(200)
    expect(find).toHaveBeenCalledTimes(1)
    expect(String(gateway.faults[0])).toContain('250 ms')
  })

  it('answers nothing that is not an answer', async () => {
    const now = new Date()
    const find = () => ({ text: '{"provider":"up"}\n{"choices":', storedAt: now, expiresAt: now })
    const { gateway } = open({ repositories: { answerCache: failing({ find, save: () => undefined }) } })
    const { secret } = await gateway.key()
    const response = await gateway.chat(secret)
    expect([response.status, cacheOf(response)]).toEqual([200, 'miss'])
  })

  it('lets only the admin empty it', async () => {
    const { gateway, calls } = open()
    const { secret } = await gateway.key()
    await gateway.chat(secret)
    await gateway.chat(secret, { temperature: 0 })
    expect((await gateway.send('/v1/cache', { method: 'DELETE', as: secret })).status).toBe(403)
    const cleared = await gateway.send('/v1/cache', { method: 'DELETE', as: ADMIN })
    expect([cleared.status, await cleared.json()]).toEqual([200, { object: 'cache', removed: 2 }])
    expect(cacheOf(await gateway.chat(secret))).toBe('miss')
    expect(calls).toHaveLength(3)
  })

  it('answers 503 where it fails while it is emptied', async () => {
    const clear = () => Promise.reject(new Error('The store failed'))
    const { gateway } = open({ repositories: { answerCache: failing({ clear }) } })
    expect((await gateway.send('/v1/cache', { method: 'DELETE', as: ADMIN })).status).toBe(503)
  })

  it('keeps to the number of answers in memory', async () => {
    const { gateway } = open({ answerCache: { maxEntries: 2 } })
    const { secret } = await gateway.key()
    for (const temperature of [0, 0.5, 1]) await gateway.chat(secret, { temperature })
    expect(cacheOf(await gateway.chat(secret, { temperature: 1 }))).toBe('hit')
    expect(cacheOf(await gateway.chat(secret, { temperature: 0 }))).toBe('miss')
  })
})

describe('the options of the answer cache', () => {
  it.each([
    { ttlSeconds: 0 },
    { ttlSeconds: 2_592_001 },
    { maxEntries: 0 },
    { maxBytes: 0 },
    { maxAnswerBytes: 2 ** 22 + 1 },
  ])('refuse %o', (answerCache) => {
    expect(() => open({ answerCache })).toThrow(RangeError)
  })

  it('refuse names and scopes that do not exist', () => {
    expect(() => open({ answerCache: JSON.parse('{"scope":"user"}') })).toThrow("'answerCache.scope'")
    expect(() => open({ answerCache: JSON.parse('{"ttl":5}') })).toThrow("no option 'ttl'")
  })
})
