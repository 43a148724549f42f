import { describe, expect, it } from 'vitest'
import { events, json, startEndpoints } from './endpoint-gateway.ts'
import { fakeProvider } from './fake-provider.ts'
import { openGateway } from './open-gateway.ts'

describe('the cost of an endpoint', () => {
  it('comes from the tokens of embeddings', async () => {
    const usage = { prompt_tokens: 1000, total_tokens: 1000 }
    const data = [{ object: 'embedding', index: 0, embedding: [1] }]
    const { client, record } = await startEndpoints(json({ object: 'list', data, model: 'm', usage }))
    const request = { model: 'up/text-embedding-3-small', input: 'word' }
    const { response } = await client.embeddings.create(request).withResponse()
    expect(response.headers.get('x-trivium-cost')).toBe('0.00002')
    expect(await record).toMatchObject({ inputTokens: 1000, cost: 20_000, upstreamModel: 'text-embedding-3-small' })
  })

  it('comes from the characters that are spoken', async () => {
    const { client, record } = await startEndpoints((_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound')
    })
    const spoken = await client.audio.speech.create({ model: 'up/tts-1', voice: 'alloy', input: 'x'.repeat(100) })
    await spoken.arrayBuffer()
    expect(await record).toMatchObject({ operation: 'audio', cost: 1_500_000 })
  })

  it('comes from the seconds, or the tokens, of a transcription', async () => {
    for (const [usage, expected] of [
      [
        { type: 'duration', seconds: 30 },
        { inputTokens: 0, cost: 3_000_000 },
      ],
      [
        { type: 'tokens', input_tokens: 90, output_tokens: 10, input_token_details: { audio_tokens: 80 } },
        { inputTokens: 90, outputTokens: 10, audioInputTokens: 80 },
      ],
    ] as const) {
      const { client, record } = await startEndpoints(json({ text: 'Hello', usage }))
      const file = new File(['sound'], 'a.mp3')
      await client.audio.transcriptions.create({ model: 'up/whisper-1', file })
      expect(await record).toMatchObject(expected)
    }
  })

  it('comes from the number of images', async () => {
    const png = { bytes: new Uint8Array([137, 80, 78, 71]), contentType: 'image/png' } as const
    const provider = fakeProvider({
      models: async () => [{ id: 'dall-e-3', kind: 'image', ownedBy: 'up', created: 0 }],
      images: { generate: async ({ count }) => ({ images: Array.from({ length: count }, () => png) }) },
    })
    const open = openGateway({ providers: [provider], prices: { 'up/*': { image: 0.04, request: 0.001 } } })
    const { secret } = await open.key()
    const body = { model: 'up/dall-e-3', prompt: 'A hill', n: 2 }
    const response = await open.send('/v1/images/generations', { as: secret, body })
    expect(response.headers.get('x-trivium-cost')).toBe('0.081')
    expect(open.records).toMatchObject([{ images: 2, cost: 81_000_000 }])
  })

  it('comes from the quality and the size of images', async () => {
    const png = { bytes: new Uint8Array([137, 80, 78, 71]), contentType: 'image/png' } as const
    const provider = fakeProvider({
      models: async () => [{ id: 'dall-e-3', kind: 'image', ownedBy: 'up', created: 0 }],
      images: { generate: async () => ({ images: [png] }) },
    })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    const costs: (string | null)[] = []
    for (const form of [{}, { quality: 'hd' }, { size: '1024x1792' }, { quality: 'hd', size: '1792x1024' }]) {
      const body = { model: 'up/dall-e-3', prompt: 'A hill', ...form }
      const response = await open.send('/v1/images/generations', { as: secret, body })
      costs.push(response.headers.get('x-trivium-cost'))
    }
    expect(costs).toEqual(['0.04', '0.08', '0.08', '0.12'])
  })

  it('comes from the images that an edit reads', async () => {
    const usage = {
      input_tokens: 1100,
      output_tokens: 0,
      input_tokens_details: { text_tokens: 100, image_tokens: 1000 },
    }
    const { client, record } = await startEndpoints(json({ created: 1, data: [{ b64_json: 'AAAA' }], usage }))
    const image = new File(['png'], 'a.png', { type: 'image/png' })
    await client.images.edit({ model: 'up/gpt-image-1', image, prompt: 'Red' })
    expect(await record).toMatchObject({ inputTokens: 1100, cost: 100 * 5_000 + 1000 * 10_000 })
  })

  it('comes from the sound that is reserved where none is reported, and is in the header', async () => {
    const { client, record } = await startEndpoints((_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound')
    })
    const request = { model: 'up/gpt-4o-mini-tts', voice: 'alloy', input: 'x'.repeat(100) }
    const { data, response } = await client.audio.speech.create(request).withResponse()
    await data.arrayBuffer()
    // 25 tokens of text, and 10 of sound for each character.
    expect(await record).toMatchObject({ outputTokens: 1000, estimated: true, cost: 25 * 600 + 1000 * 12_000 })
    expect(response.headers.get('x-trivium-cost')).toBe('0.012015')
  })

  it('comes from the search units of reranking', async () => {
    const answer = { results: [{ index: 0, relevance_score: 1 }], meta: { billed_units: { search_units: 3 } } }
    const { upstream, url, secret, record } = await startEndpoints(json(answer))
    expect(upstream).toBeDefined()
    const response = await fetch(`${url}/v1/rerank`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'up/rerank-v3.5', query: 'a', documents: ['b'] }),
    })
    expect(response.status).toBe(200)
    expect(await record).toMatchObject({ cost: 6_000_000 })
  })

  it('comes with the usage at the end of a streamed completion', async () => {
    const usage = { prompt_tokens: 4, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } }
    const { client, record } = await startEndpoints((_, response) => {
      events(response, { choices: [{ index: 0, text: 'Hi', finish_reason: 'stop' }] }, { choices: [], usage }, '[DONE]')
      response.end()
    })
    for await (const _ of await client.completions.create({ model: 'up/davinci-002', prompt: 'Hi', stream: true })) {
      // Read to its end.
    }
    const done = await record
    expect(done).toMatchObject({ inputTokens: 4, outputTokens: 2, reasoningTokens: 1 })
    expect(done).not.toHaveProperty('cost')
  })
})
