import type Anthropic from '@anthropic-ai/sdk'
import { openAiProvider } from '@trivium/openai-provider'
import { describe, expect, it } from 'vitest'
import { json } from './endpoint-gateway.ts'
import { openGateway } from './open-gateway.ts'
import { upstreamServer } from './upstream-server.ts'

const listed = [
  {
    id: 'router',
    context_length: 200_000,
    architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
    pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', image: '0.0048' },
    top_provider: { max_completion_tokens: 64_000 },
  },
  { id: 'vllm', name: 'vLLM', max_model_len: 32_768 },
  { id: 'mistral', max_context_length: 131_072, capabilities: { completion_chat: true, vision: true } },
  { id: 'together', context_length: 8192, pricing: { hourly: 0, input: 0.18, output: 0.2 } },
  {
    id: 'auto',
    context_length: -1,
    pricing: { prompt: '-1', completion: 'free' },
    architecture: { input_modalities: 'text' },
  },
  { id: 'text-embedding-3-small' },
]

async function start(options: Parameters<typeof openGateway>[0] = {}) {
  const { origin } = await upstreamServer(json({ object: 'list', data: listed }))
  const open = openGateway({ providers: [openAiProvider({ id: 'up', baseUrl: `${origin}/v1` })], ...options })
  const { secret } = await open.key()
  const read = async (path: string, headers: Record<string, string> = {}) =>
    (await open.send(path, { as: secret, headers })).json()
  return { open, read }
}

describe('GET /v1/models', () => {
  it('has the facts that upstreams list, and what is known of others', async () => {
    const { read } = await start()
    const common = { object: 'model', created: 0, owned_by: '' }
    const dialects = expect.arrayContaining(['chat'])
    expect((await read('/v1/models')).data).toEqual([
      { id: 'up/auto', ...common, dialects },
      {
        id: 'up/mistral',
        ...common,
        dialects,
        context_length: 131_072,
        modalities: { input: ['text', 'image'] },
      },
      {
        id: 'up/router',
        ...common,
        dialects,
        context_length: 200_000,
        max_output_tokens: 64_000,
        modalities: { input: ['text', 'image'], output: ['text'] },
        pricing: { input: 3, output: 15, cache_read: 0.3 },
      },
      { id: 'up/text-embedding-3-small', ...common, context_length: 8192, pricing: { input: 0.02 } },
      { id: 'up/together', ...common, dialects, context_length: 8192, pricing: { input: 0.18, output: 0.2 } },
      { id: 'up/vllm', ...common, dialects, context_length: 32_768 },
    ])
  })

  it('has the facts of the host before those of the upstream', async () => {
    const { read } = await start({
      models: { fast: 'up/vllm' },
      modelFacts: {
        'up/*': { pricing: { input: 1 } },
        'up/vllm': { maxOutputTokens: 100 },
        fast: { contextLength: 1000 },
      },
    })
    expect(await read('/v1/models/up/vllm')).toMatchObject({ context_length: 32_768, max_output_tokens: 100 })
    expect(await read('/v1/models/up/vllm')).not.toHaveProperty('pricing')
    expect(await read('/v1/models/up/router')).toMatchObject({ context_length: 200_000, pricing: { input: 1 } })
    expect(await read('/v1/models/fast')).toMatchObject({
      context_length: 1000,
      max_output_tokens: 100,
      owned_by: 'gateway',
    })
  })

  it("has the form of Anthropic's interface for its clients", async () => {
    const { read } = await start()
    const headers = { 'anthropic-version': '2023-06-01' }
    const list = await read('/v1/models', headers)
    expect(list).toMatchObject({ has_more: false, first_id: 'up/auto', last_id: 'up/vllm' })
    expect(list.data[5]).toEqual({
      type: 'model',
      id: 'up/vllm',
      display_name: 'vLLM',
      created_at: '1970-01-01T00:00:00.000Z',
      max_input_tokens: 32_768,
      max_tokens: null,
      lifecycle: 'active',
      capabilities: null,
      line: null,
      deprecated_at: null,
      retires_at: null,
    } satisfies Anthropic.ModelInfo)
    expect(list.data[0]).toMatchObject({ display_name: 'up/auto', max_input_tokens: null })
    expect(await read('/v1/models/up/vllm', headers)).toEqual(list.data[5])
  })
})
