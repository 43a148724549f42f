import { openAiProvider } from '@trivium/openai-provider'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { json } from '../endpoint-gateway.ts'
import { openGateway } from '../open-gateway.ts'
import { upstreamServer } from '../upstream-server.ts'

const answer = {
  object: 'list',
  model: 'text-embedding-3-small',
  data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.25, 1] }],
  usage: { prompt_tokens: 7, total_tokens: 7 },
}

async function open(value: unknown = answer) {
  const upstream = await upstreamServer(json(value))
  const provider = openAiProvider({
    id: 'up',
    baseUrl: `${upstream.origin}/v1`,
    apiKey: 'sk-secret',
    models: ['text-embedding-3-small'],
  })
  const gateway = openGateway({ providers: [provider], answerCache: {} })
  const { secret } = await gateway.key()
  const client = new OpenAI({ apiKey: secret, baseURL: 'http://gateway.test/v1', maxRetries: 0, fetch: gateway.fetch })
  const create = (input: string, more: object = {}) =>
    client.embeddings
      .create({ model: 'up/text-embedding-3-small', input, encoding_format: 'float', ...more })
      .withResponse()
  return { gateway, create, seen: upstream.seen }
}

describe('cached embeddings', () => {
  it('answer an equal request of the openai client without an upstream', async () => {
    const { gateway, create, seen } = await open()
    const first = await create('Hello')
    const second = await create('Hello', { user: 'someone' })
    expect([first, second].map(({ response }) => response.headers.get('x-trivium-cache'))).toEqual(['miss', 'hit'])
    expect(second.data).toEqual(first.data)
    expect(gateway.records.at(-1)).toMatchObject({ operation: 'embedding', inputTokens: 0, cacheHit: true })
    await create('Hello', { dimensions: 3 })
    await create('hello')
    expect(seen).toHaveLength(3)
  })

  it('stay out of the cache without usage', async () => {
    const { usage: _, ...without } = answer
    const { create, seen } = await open(without)
    await create('Hello')
    await create('Hello')
    expect(seen).toHaveLength(2)
  })
})
