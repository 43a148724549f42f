import { describe, expect, it, onTestFinished } from 'vitest'
import { context, failureOf } from '../../gateway-core/tests/provider-calls.ts'
import { upstreamServer } from '../../gateway-core/tests/upstream-server.ts'
import { modelKindByName } from './models.ts'
import { openAiProvider } from './open-ai-provider.ts'

async function modelsOf(text: string, status = 200) {
  const server = await upstreamServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(text)
  })
  const provider = openAiProvider({ baseUrl: `${server.origin}/v1`, apiKey: 'k' })
  onTestFinished(() => provider.close?.())
  return { ...server, list: () => provider.models(context()) }
}

describe('the models of openAiProvider', () => {
  it('come from a new request each time', async () => {
    const { list, seen } = await modelsOf(
      JSON.stringify({
        object: 'list',
        data: [
          { id: 'gpt-x', object: 'model', created: 1_700_000_000, owned_by: 'openai' },
          { id: 'dall-e-3', object: 'model', created: 1.5, owned_by: null },
          { id: 'text-embedding-3-small', object: 'model' },
          { id: '' },
          'nonsense',
        ],
      }),
    )
    await list()
    expect(await list()).toEqual([
      { id: 'gpt-x', kind: 'chat', ownedBy: 'openai', created: 1_700_000_000 },
      { id: 'dall-e-3', kind: 'image', ownedBy: '', created: 0 },
      { id: 'text-embedding-3-small', kind: 'embedding', ownedBy: '', created: 0 },
    ])
    expect(seen).toHaveLength(2)
    expect(seen[0]).toMatchObject({ method: 'GET', path: '/v1/models', headers: { authorization: 'Bearer k' } })
  })

  it("carry the upstream's names for people", async () => {
    const data = [
      { id: 'a/b', name: 'A: B' },
      { id: 'c', name: 'c-1', display_name: 'C One' },
      { id: 'd', name: 'd'.repeat(257), display_name: 1 },
    ]
    const models = await (await modelsOf(JSON.stringify({ data }))).list()
    expect(models.map(({ displayName }) => displayName)).toEqual(['A: B', 'C One', undefined])
  })

  it('come from a list without a wrapper', async () => {
    expect(await (await modelsOf('[{"id":"m"}]')).list()).toHaveLength(1)
  })

  it.each(['{}', 'null', 'no JSON', '{"data":{}}'])('fail as malformed without a list (%s)', async (text) => {
    expect(await failureOf((await modelsOf(text)).list())).toMatchObject({ type: 'malformed' })
  })

  it('fail when the upstream refuses', async () => {
    expect(await failureOf((await modelsOf('{}', 500)).list())).toMatchObject({ type: 'refused', status: 500 })
  })

  it('come from the host if it sets them', async () => {
    const provider = openAiProvider({ id: 'local', baseUrl: 'http://127.0.0.1:1', models: ['llama', 'sdxl-turbo'] })
    expect(await provider.models(context())).toEqual([
      { id: 'llama', kind: 'chat', ownedBy: 'local', created: 0 },
      { id: 'sdxl-turbo', kind: 'image', ownedBy: 'local', created: 0 },
    ])
  })
})

it.each([
  ['gpt-4o', 'chat'],
  ['llama3:8b', 'chat'],
  ['gpt-image-1', 'image'],
  ['black-forest-labs/FLUX.1-dev', 'image'],
  ['gpt-4o-mini-tts', 'audio'],
  ['whisper-1', 'audio'],
  ['nomic-embed-text', 'embedding'],
  ['omni-moderation-latest', 'moderation'],
  ['BAAI/bge-reranker-v2-m3', 'rerank'],
  ['davinci-002', 'completion'],
  ['gpt-realtime', 'realtime'],
  ['gpt-4o-mini-realtime-preview-2024-12-17', 'realtime'],
  ['sora-2', undefined],
])('modelKindByName returns for %s the kind %s', (id, kind) => {
  expect(modelKindByName(id)).toBe(kind)
})
