import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { json, startEndpoints as start } from './endpoint-gateway.ts'
import { serveGateway } from './serve-gateway.ts'

describe('moderations of the openai client', () => {
  const answer = json({ id: 'modr-1', model: 'omni-moderation-latest', results: [{ flagged: false, categories: {} }] })

  it('uses the first moderation model by default', async () => {
    const { client, upstream, record } = await start(answer)
    const { results } = await client.moderations.create({ input: 'Hello' })
    expect(results[0]?.flagged).toBe(false)
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).toEqual({ input: 'Hello', model: 'omni-moderation-latest' })
    expect(await record).toMatchObject({ operation: 'moderation', inputTokens: 2, estimated: true })
  })

  it('refuses a request without a model where no provider has one', async () => {
    const served = await serveGateway('fetch', { providers: [] })
    const { secret } = (await served.gateway.apiKeys.generate({ username: 'ada' }))._unsafeUnwrap()
    const client = new OpenAI({ apiKey: secret, baseURL: `${served.url}/v1`, maxRetries: 0 })
    await expect(client.moderations.create({ input: 'a' })).rejects.toMatchObject({
      status: 400,
      code: 'model_required',
      param: 'model',
    })
  })
})
