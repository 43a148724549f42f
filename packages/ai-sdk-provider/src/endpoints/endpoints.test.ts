import type { EmbeddingModelV2, EmbeddingModelV4, SpeechModelV4 } from '@ai-sdk/provider'
import type { Endpoint, JsonObject } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { context, failureOf } from '../../../gateway-core/tests/provider-calls.ts'
import { type AiSdkProviderOptions, aiSdkProvider } from '../ai-sdk-provider.ts'

const common = { provider: 'fake', modelId: 'fake-1', maxEmbeddingsPerCall: 2, supportsParallelCalls: false }

function v4(vector: readonly number[] = [0.5, 1]) {
  const calls: Parameters<EmbeddingModelV4['doEmbed']>[0][] = []
  const model: EmbeddingModelV4 = {
    ...common,
    specificationVersion: 'v4',
    doEmbed: async (options) => {
      calls.push(options)
      return { embeddings: options.values.map(() => [...vector]), usage: { tokens: 3 }, warnings: [] }
    },
  }
  return { model, calls }
}

const v2: EmbeddingModelV2<string> = {
  ...common,
  specificationVersion: 'v2',
  doEmbed: async ({ values }) => ({ embeddings: values.map(() => [1]) }),
}

const send = (endpoint: Endpoint, options: Partial<AiSdkProviderOptions>, value: JsonObject) => {
  const { endpoints } = aiSdkProvider({ id: 'sdk', ...options })
  if (!endpoints) throw new Error('It has no endpoints')
  return endpoints.send(
    {
      endpoint,
      method: 'POST',
      suffix: '',
      model: 'm',
      body: { contentType: 'application/json', content: new Uint8Array(), value },
      accept: 'application/json',
      headers: {},
      streamed: false,
    },
    context(),
  )
}

async function embed(model: EmbeddingModelV4 | EmbeddingModelV2<string>, value: JsonObject) {
  const answer = await send('embeddings', { embeddingModels: { m: model } }, value)
  return answer.kind === 'whole' ? JSON.parse(new TextDecoder().decode(answer.bytes)) : undefined
}

describe('embeddings of aiSdkProvider', () => {
  it('take as many calls as the model needs, and sum their usage', async () => {
    const { model, calls } = v4()
    const { data, usage } = await embed(model, { input: ['a', 'b', 'c'], dimensions: 2 })
    expect(calls.map(({ values, dimensions }) => [values, dimensions])).toEqual([
      [['a', 'b'], 2],
      [['c'], 2],
    ])
    expect(data).toHaveLength(3)
    expect(data[2]).toEqual({ object: 'embedding', index: 2, embedding: [0.5, 1] })
    expect(usage).toEqual({ prompt_tokens: 6, total_tokens: 6 })
  })

  it('returns base64 where the client requests it', async () => {
    const { data } = await embed(v4().model, { input: 'a', encoding_format: 'base64' })
    expect(Buffer.from(data[0].embedding, 'base64').readFloatLE(4)).toBe(1)
  })

  it('reports no usage where the model reports none', async () => {
    expect(await embed(v2, { input: 'a' })).toEqual({
      object: 'list',
      model: 'm',
      data: [{ object: 'embedding', index: 0, embedding: [1] }],
    })
  })

  it('refuse tokens, and dimensions that the model does not return', async () => {
    expect(await failureOf(embed(v2, { input: [[1]] }))).toMatchObject({ type: 'unsupported', param: 'input' })
    expect(await failureOf(embed(v2, { input: 'a', dimensions: 2 }))).toMatchObject({
      status: 400,
      param: 'dimensions',
    })
  })

  it('fail as malformed with another number of vectors', async () => {
    const model: EmbeddingModelV4 = { ...v4().model, doEmbed: async () => ({ embeddings: [], warnings: [] }) }
    expect(await failureOf(embed(model, { input: 'a' }))).toMatchObject({ type: 'malformed' })
  })

  it('lists the models with their kind', async () => {
    const provider = aiSdkProvider({ id: 'sdk', embeddingModels: { m: v2 } })
    expect(await provider.models(context())).toMatchObject([{ id: 'm', kind: 'embedding' }])
    expect(provider.endpoints?.supports('speech')).toBe(false)
  })
})

describe('speech of aiSdkProvider', () => {
  const calls: Parameters<SpeechModelV4['doGenerate']>[0][] = []
  const model: SpeechModelV4 = {
    specificationVersion: 'v4',
    provider: 'fake',
    modelId: 'fake-1',
    doGenerate: async (options) => {
      calls.push(options)
      return { audio: 'AAEC', warnings: [], response: { timestamp: new Date(0), modelId: 'fake-1' } }
    },
  }

  it('has the fields of the request and the content type of its format', async () => {
    const value = { input: 'Hello', voice: 'alloy', response_format: 'wav', speed: 2, instructions: 'Softly' }
    const answer = await send('speech', { speechModels: { m: model } }, value)
    expect(answer).toMatchObject({ kind: 'whole', contentType: 'audio/wav', bytes: new Uint8Array([0, 1, 2]) })
    expect(calls).toMatchObject([
      { text: 'Hello', voice: 'alloy', outputFormat: 'wav', speed: 2, instructions: 'Softly' },
    ])
  })

  it('refuses events', async () => {
    const answer = send('speech', { speechModels: { m: model } }, { input: 'a', stream_format: 'sse' })
    expect(await failureOf(answer)).toMatchObject({ type: 'unsupported', param: 'stream_format' })
  })
})
