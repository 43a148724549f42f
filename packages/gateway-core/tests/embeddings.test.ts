import type { ServerResponse } from 'node:http'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { json, startEndpoints as start } from './endpoint-gateway.ts'
import type { SeenRequest } from './upstream-server.ts'

describe('embeddings of the openai client', () => {
  const vector = new Float32Array([0.5, -0.25, 1])
  const answer = (request: SeenRequest, response: ServerResponse): void => {
    const { encoding_format: format, model } = JSON.parse(request.body)
    const embedding = format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector]
    json({
      object: 'list',
      model,
      data: [{ object: 'embedding', index: 0, embedding }],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })(request, response)
  }

  it('returns base64, which the client requests by default', async () => {
    const { client, upstream, record } = await start(answer)
    const { data } = await client.embeddings.create({
      model: 'up/text-embedding-3-small',
      input: ['Hello'],
      dimensions: 3,
    })
    expect([...(data[0]?.embedding ?? [])]).toEqual([0.5, -0.25, 1])
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).toEqual({
      model: 'text-embedding-3-small',
      input: ['Hello'],
      dimensions: 3,
      encoding_format: 'base64',
    })
    expect(upstream.seen[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: 'Bearer sk-upstream-secret' },
    })
    expect(await record).toMatchObject({
      operation: 'embedding',
      model: 'up/text-embedding-3-small',
      inputTokens: 7,
      status: 200,
      estimated: false,
    })
  })

  it('returns numbers where the client requests them', async () => {
    const { client } = await start(answer)
    const { data } = await client.embeddings.create({
      model: 'text-embedding-3-small',
      input: [1, 2, 3],
      encoding_format: 'float',
    })
    expect(data[0]?.embedding).toEqual([0.5, -0.25, 1])
  })

  it.each([
    ['an empty array', []],
    ['more than 2,048 inputs', Array.from({ length: 2049 }, () => 'a')],
    ['a fraction as a token', [1.5]],
    ['an object', { text: 'a' }],
  ])('refuse %s as input', async (_, input) => {
    const { url, secret, upstream } = await start(answer)
    const response = await fetch(`${url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'up/text-embedding-3-small', input }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param: 'input' } })
    expect(upstream.seen).toHaveLength(0)
  })

  it('take 50,000 tokens as numbers', async () => {
    const { client, upstream } = await start(answer)
    const input = Array.from({ length: 2048 }, () => Array.from({ length: 25 }, (_, index) => index))
    await client.embeddings.create({ model: 'up/text-embedding-3-small', input, encoding_format: 'float' })
    expect(JSON.parse(upstream.seen[0]?.body ?? '').input).toHaveLength(2048)
  })

  it.each([
    ['HTML', '<html>'],
    ['half of it', '{"data":['],
    ['nothing', ''],
  ])('fail as malformed for %s', async (_, text) => {
    const { client, record } = await start((_request, response) => response.end(text))
    await expect(client.embeddings.create({ model: 'up/text-embedding-3-small', input: 'a' })).rejects.toMatchObject({
      status: 502,
      code: 'upstream_malformed',
    })
    expect(await record).toMatchObject({ status: 502, inputTokens: 0 })
  })

  it("keep the upstream's refusal, without its credentials", async () => {
    const { client } = await start(
      json({ error: { message: 'Bad sk-upstream-secret', type: 'x', param: 'input', code: 'c' } }, 400),
    )
    await expect(client.embeddings.create({ model: 'up/text-embedding-3-small', input: 'a' })).rejects.toMatchObject({
      status: 400,
      param: 'input',
      code: 'c',
      error: { message: 'Bad ***' },
    })
  })

  it('fail where the answer with status 200 is an error', async () => {
    const { client } = await start(json({ error: { message: 'Later', code: 503 } }))
    await expect(client.embeddings.create({ model: 'up/text-embedding-3-small', input: 'a' })).rejects.toMatchObject({
      status: 503,
    })
  })

  it('count against the rate limit and the token budget of the key', async () => {
    const { gateway, url } = await start(answer)
    const issued = await gateway.apiKeys.generate({ username: 'bob', rateLimit: 2, budget: { tokensPerMinute: 10 } })
    const client = new OpenAI({ apiKey: issued._unsafeUnwrap().secret, baseURL: `${url}/v1`, maxRetries: 0 })
    await client.embeddings.create({ model: 'up/text-embedding-3-small', input: 'a' })
    await expect(
      client.embeddings.create({ model: 'up/text-embedding-3-small', input: 'a'.repeat(40) }),
    ).rejects.toMatchObject({
      status: 429,
      type: 'tokens',
    })
    await expect(client.embeddings.create({ model: 'up/text-embedding-3-small', input: 'a' })).rejects.toMatchObject({
      status: 429,
      type: 'requests',
    })
  })

  it('end the upstream call when the client disconnects', async () => {
    let ended: () => void = () => undefined
    let asked: () => void = () => undefined
    const closed = new Promise<void>((resolve) => {
      ended = resolve
    })
    const arrived = new Promise<void>((resolve) => {
      asked = resolve
    })
    const { client, record } = await start((_, response) => {
      response.on('close', () => ended())
      asked()
    })
    const controller = new AbortController()
    const answered = client.embeddings.create(
      { model: 'up/text-embedding-3-small', input: 'abcdefgh' },
      { signal: controller.signal },
    )
    const refused = expect(answered).rejects.toThrow()
    await arrived
    controller.abort()
    await refused
    await closed
    expect(await record).toMatchObject({ status: 499, inputTokens: 2, estimated: true, partial: true })
  })
})
