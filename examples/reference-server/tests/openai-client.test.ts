import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from './server-process.ts'

const CHAT_MODEL = 'local/echo-no-llm'
const messages = [{ role: 'user' as const, content: 'The quick brown fox jumps over the lazy dog.' }]

describe.each(['fastify', 'express', 'fetch'] as const)('the official client over %s', (transport) => {
  let server: ServerProcess
  let client: OpenAI

  beforeAll(async () => {
    server = await startServer({ transport })
    client = new OpenAI({
      baseURL: `${server.url}/v1`,
      apiKey: await createKey(server, { rate_limit: 1000 }),
      maxRetries: 0,
    })
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())

  it('creates a completion', async () => {
    const completion = await client.chat.completions.create({ model: CHAT_MODEL, messages })
    expect(completion).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringContaining('quick brown fox') },
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
      },
    })
  })

  it('streams a completion, with usage when requested', async () => {
    const stream = await client.chat.completions.create({
      model: CHAT_MODEL,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await Array.fromAsync(stream)
    const whole = await client.chat.completions.create({ model: CHAT_MODEL, messages })
    expect(chunks.length).toBeGreaterThan(3)
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
      whole.choices[0]?.message.content,
    )
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: whole.usage?.total_tokens } })
    expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(['stop'])
  })

  it('lists models and reads one by its id with a slash', async () => {
    const models = await Array.fromAsync(await client.models.list())
    expect(models.map(({ id }) => id)).toContain(CHAT_MODEL)
    expect(await client.models.retrieve(CHAT_MODEL)).toMatchObject({ id: CHAT_MODEL, object: 'model' })
  })

  it('makes images', async () => {
    const { data: images = [] } = await client.images.generate({ prompt: 'a red square', n: 2, size: '256x256' })
    expect(images).toHaveLength(2)
    for (const { url = '' } of images) {
      const image = await fetch(url)
      expect(image.headers.get('content-type')).toBe('image/png')
      expect(
        Buffer.from(await image.arrayBuffer())
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG')
    }
  })

  it.each([
    [
      'a bad key',
      { apiKey: 'tvm_wrong' },
      CHAT_MODEL,
      OpenAI.AuthenticationError,
      { status: 401, code: 'invalid_api_key' },
    ],
    ['an unknown model', {}, 'no/such-model', OpenAI.NotFoundError, { status: 404, code: 'model_not_found' }],
  ])('receives a typed error for %s', async (_name, options, model, type, fields) => {
    const failure = await client
      .withOptions(options)
      .chat.completions.create({ model, messages })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(type)
    expect(failure).toMatchObject(fields)
  })

  it('receives a typed error over the limit, with the time to wait', async () => {
    const limited = client.withOptions({ apiKey: await createKey(server, { username: 'limited', rate_limit: 2 }) })
    await limited.models.list()
    await limited.models.list()
    const failure = await limited.chat.completions
      .create({ model: CHAT_MODEL, messages })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(OpenAI.RateLimitError)
    expect(failure).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
    const retryAfter = failure instanceof OpenAI.APIError ? Number(failure.headers?.get('retry-after')) : Number.NaN
    expect(retryAfter).toBeGreaterThanOrEqual(1)
    expect(retryAfter).toBeLessThanOrEqual(60)
  })

  it('succeeds exactly up to the limit with parallel requests', async () => {
    const limited = client.withOptions({ apiKey: await createKey(server, { username: 'parallel', rate_limit: 10 }) })
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => limited.models.list()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })
})
