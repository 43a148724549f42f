import { ProviderFailure } from '@trivium/gateway-core/ports'
import { localProvider } from '@trivium/local-provider'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeProvider } from './fake-provider.ts'
import { expectFailure, openGateway } from './open-gateway.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('look-up of models', () => {
  it('lists models in order with their providers, including aliases', async () => {
    const open = openGateway({
      providers: [fakeProvider({ id: 'b', models: ['z/y', 'a'] }), localProvider()],
      models: { fast: 'b/a', picture: 'local/procedural-no-llm' },
    })
    const { secret } = await open.key()
    const list = await (await open.send('/v1/models', { as: secret })).json()
    expect(list.object).toBe('list')
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual([
      'b/a',
      'b/z/y',
      'fast',
      'local/echo-no-llm',
      'local/eliza-no-llm',
      'local/embedding-1-lexical',
      'local/procedural-no-llm',
      'local/rerank-1-lexical',
      'local/scripted-no-llm',
      'picture',
    ])
    expect(list.data[0]).toEqual({
      id: 'b/a',
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'b',
      dialects: ['chat'],
    })
    const images = await (await open.send('/v1/TTI/models', { as: secret })).json()
    expect(images.data.map(({ id }: { id: string }) => id)).toEqual(['local/procedural-no-llm', 'picture'])
  })

  it.each(['b/z/y', 'b%2Fz%2Fy', 'b/z%2Fy', 'z/y', 'z%2Fy'])('finds a model by the id %s', async (id) => {
    const open = openGateway({ providers: [fakeProvider({ id: 'b', models: ['z/y'] })] })
    const { secret } = await open.key()
    const response = await open.send(`/v1/models/${id}`, { as: secret })
    expect(await response.json()).toMatchObject({ id: 'b/z/y', object: 'model' })
  })

  it('returns 404 for a model that does not exist, without counting the request', async () => {
    const provider = fakeProvider()
    const open = openGateway({ providers: [provider] })
    const { secret, key } = await open.key()
    for (const model of ['none', 'up/none', 'other/big', 'up/', '/big', 'up']) {
      await expectFailure(await open.chat(secret, { model }), 404, { param: 'model', code: 'model_not_found' })
    }
    await expectFailure(await open.send('/v1/models/up/none', { as: secret }), 404, { code: 'model_not_found' })
    expect(await open.remaining(key)).toBe(1_000)
    expect([open.records, provider.calls]).toEqual([[], []])
  })

  it('finds a model without its provider where only one provider has the id', async () => {
    const open = openGateway({
      providers: [fakeProvider({ id: 'a', models: ['x', 'both'] }), fakeProvider({ id: 'b', models: ['both'] })],
    })
    const { secret } = await open.key()
    expect((await open.chat(secret, { model: 'x' })).headers.get('x-trivium-provider')).toBe('a')
    const response = await open.chat(secret, { model: 'both' })
    await expectFailure(response, 404, { code: 'model_not_found', message: expect.stringContaining('a/both, b/both') })
  })

  it('returns 400 for a model of the other kind', async () => {
    const open = openGateway({ providers: [localProvider()] })
    const { secret } = await open.key()
    await expectFailure(await open.chat(secret, { model: 'local/procedural-no-llm' }), 400, {
      code: 'unsupported_model',
    })
    const image = await open.send('/v1/images/generations', { as: secret, body: { prompt: 'x', model: 'echo-no-llm' } })
    await expectFailure(image, 400, { code: 'unsupported_model', param: 'model' })
  })
})

describe('a provider without the service of a request', () => {
  const model = 'bare/x'
  const user = { role: 'user', content: 'Hello' }
  it.each([
    ['/v1/chat/completions', { messages: [user] }, 'chat completions'],
    ['/v1/responses', { input: 'Hello' }, 'responses'],
    ['/v1/messages', { messages: [user], max_tokens: 5 }, 'messages'],
    ['/v1/messages/count_tokens', { messages: [user] }, 'messages'],
    ['/v1/images/generations', { prompt: 'a', response_format: 'b64_json' }, 'image generation'],
    ['/v1/images/edits', { prompt: 'a', images: [{ file_id: 'f' }] }, 'edits of images'],
    ['/v1/embeddings', { input: 'a' }, 'embeddings'],
    ['/v1/completions', { prompt: 'a' }, 'text completions'],
    ['/v1/moderations', { input: 'a' }, 'moderations'],
    ['/v1/audio/speech', { input: 'a', voice: 'alloy' }, 'speech'],
    ['/v1/rerank', { query: 'a', documents: ['b'] }, 'reranking'],
  ])('returns a 404 of %s that names the service', async (path, fields, purpose) => {
    const models = async () => [{ id: 'x', kind: 'audio', ownedBy: 'x', created: 0 } as const]
    const open = openGateway({ providers: [{ id: 'bare', models }] })
    const { secret } = await open.key()
    const headers = { 'content-type': 'application/json' }
    const response = await open.send(path, { as: secret, headers, body: { model, ...fields } })
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { message: `The model 'x' does not support ${purpose}.` } },
    ])
  })

  it('returns a 404 of realtime sessions that names them', async () => {
    const open = openGateway({ providers: [fakeProvider()] })
    const call = { requestId: 'r', caller: { type: 'admin' }, signal: new AbortController().signal } as const
    const opened = await open.gateway.realtime.open(call, 'up/big')
    expect(opened._unsafeUnwrapErr()).toMatchObject({
      error: { message: "The model 'big' does not support realtime sessions." },
    })
  })
})

describe('discovery of models', () => {
  const kind = 'chat' as const
  const model = (id: string) => ({ id, kind, ownedBy: 'x', created: 0 })

  it('loads the list once for many requests, and again when it is old', async () => {
    vi.useFakeTimers()
    const models = vi.fn(async () => [model('big')])
    const open = openGateway({ providers: [fakeProvider({ models })], discovery: { refreshSeconds: 60 } })
    const { secret } = await open.key()
    await Promise.all(Array.from({ length: 10 }, () => open.chat(secret)))
    expect(models).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(60_000)
    await open.chat(secret)
    expect(models).toHaveBeenCalledTimes(2)
  })

  it('loads the list again for an unknown model, but only after the retry time', async () => {
    vi.useFakeTimers()
    const known = [model('big')]
    const models = vi.fn(async () => [...known])
    const open = openGateway({ providers: [fakeProvider({ models })] })
    const { secret } = await open.key()
    expect((await open.chat(secret, { model: 'up/new' })).status).toBe(404)
    known.push(model('new'))
    expect((await open.chat(secret, { model: 'up/new' })).status).toBe(404)
    expect(models).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(10_000)
    expect((await open.chat(secret, { model: 'up/new' })).status).toBe(200)
  })

  it('keeps the old list where a load fails', async () => {
    vi.useFakeTimers()
    let broken = false
    const models = async () => (broken ? Promise.reject(new Error('down')) : [model('big')])
    const open = openGateway({ providers: [fakeProvider({ models })], discovery: { refreshSeconds: 60 } })
    const { secret } = await open.key()
    expect((await open.chat(secret)).status).toBe(200)
    broken = true
    vi.advanceTimersByTime(60_000)
    expect((await open.chat(secret)).status).toBe(200)
    await vi.advanceTimersByTimeAsync(2_000)
    expect((await open.chat(secret)).status).toBe(200)
    expect((await open.gateway.health()).providers).toEqual({ up: 'degraded' })
  })

  it('lets the upstream decide about its models where no load ever succeeded', async () => {
    const provider = fakeProvider({ models: () => Promise.reject(new Error('down')) })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    expect((await open.chat(secret, { model: 'up/anything' })).status).toBe(200)
    expect((await open.chat(secret, { model: 'anything' })).status).toBe(404)
    expect(await (await open.send('/v1/models', { as: secret })).json()).toEqual({ object: 'list', data: [] })
  })

  it('delays requests for at most its timeout where a load hangs', async () => {
    vi.useFakeTimers()
    let signalCall: (() => void) | undefined
    const asked = new Promise<void>((resolve) => {
      signalCall = resolve
    })
    const models = () => {
      signalCall?.()
      return new Promise<never>(() => undefined)
    }
    const open = openGateway({ providers: [fakeProvider({ models })] })
    const { secret } = await open.key()
    const answer = open.chat(secret, { model: 'up/anything' })
    await asked
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await answer).status).toBe(200)
  })
})

describe('routes that lead to routes', () => {
  const chain = {
    targets: [
      { model: 'inner', weight: 1 },
      { model: 'up/big', weight: 0 },
    ],
  } as const

  it('try the targets of the inner route in its own order, each once', async () => {
    const models: string[] = []
    const provider = fakeProvider({
      complete: ({ model }) => {
        models.push(model)
        return Promise.reject(new ProviderFailure({ type: 'refused', status: 500, message: 'No' }))
      },
    })
    const open = openGateway({
      providers: [provider],
      models: { outer: chain, inner: { targets: [{ model: 'up/small' }], fallbacks: ['up/big'] }, alias: 'outer' },
      retries: { retries: 0 },
    })
    const { secret } = await open.key()
    await open.chat(secret, { model: 'alias' })
    expect(models).toEqual(['small', 'big'])
  })

  it.each([
    [{ one: 'two', two: 'three', three: 'one' }, /one → two → three → one/],
    [{ one: 'one' }, /one → one/],
    [Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`r${n}`, n === 11 ? 'up/big' : `r${n + 1}`])), /levels/],
    [{ one: 'missing' }, /no provider has/],
  ])('fail at the start where they do not end: %j', (models, message) => {
    expect(() => openGateway({ models })).toThrow(message)
  })
})
