import { createGateway } from '@trivium/gateway-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { localProvider } from '../index.ts'

const call = { requestId: 'r', caller: { type: 'admin' }, signal: new AbortController().signal } as const

async function ask(endpoint: 'embeddings' | 'rerank', value: Readonly<Record<string, unknown>>) {
  const gateway = createGateway({ providers: [localProvider()] })
  onTestFinished(() => gateway.close())
  const model = endpoint === 'rerank' ? 'local/rerank-1-lexical' : 'local/embedding-1-lexical'
  const reply = await gateway.endpoints.send(call, {
    endpoint,
    model,
    body: () => ({ contentType: 'application/json', content: new Uint8Array(), value }),
  })
  if (reply.isErr()) return { error: 'error' in reply.error ? reply.error.error : reply.error }
  return reply.value.kind === 'whole' ? JSON.parse(new TextDecoder().decode(reply.value.bytes)) : undefined
}

const vectorsOf = async (...input: readonly string[]): Promise<readonly (readonly number[])[]> =>
  (await ask('embeddings', { input })).data.map(({ embedding }: { embedding: number[] }) => embedding)

const dot = (one: readonly number[] = [], other: readonly number[] = []): number =>
  one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0)

describe('the local embedding model', () => {
  it('returns one vector of length 1 with 256 dimensions for each text, and its tokens', async () => {
    const { data, usage, object, id } = await ask('embeddings', { input: ['the quick fox', 'a dog'] })
    expect(object).toBe('list')
    expect(id).toMatch(/^embd-[\w-]+$/)
    expect(data.map(({ index }: { index: number }) => index)).toEqual([0, 1])
    expect(data[0].embedding).toHaveLength(256)
    expect(dot(data[0].embedding, data[0].embedding)).toBeCloseTo(1)
    expect(usage).toEqual({ prompt_tokens: 5, total_tokens: 5 })
  })

  it('gives the same vector for the same words in any case and accent', async () => {
    const [plain, accented] = await vectorsOf('Cafe au lait', 'CAFÉ, au lait!')
    expect(accented).toEqual(plain)
  })

  it('finds texts with common words and parts of words closer than others', async () => {
    const [text, near, stem, far] = await vectorsOf(
      'the database stores records',
      'records in the database',
      'databases recording',
      'green birds fly south',
    )
    expect(dot(text, near)).toBeGreaterThan(dot(text, stem))
    expect(dot(text, stem)).toBeGreaterThan(dot(text, far) + 0.1)
  })

  it('returns as many dimensions as requested, and base64 of the same numbers', async () => {
    const floats = await ask('embeddings', { input: 'hello', dimensions: 8 })
    const encoded = await ask('embeddings', { input: 'hello', dimensions: 8, encoding_format: 'base64' })
    const bytes = Buffer.from(encoded.data[0].embedding, 'base64')
    expect(Array.from({ length: 8 }, (_, place) => bytes.readFloatLE(place * 4))).toEqual(floats.data[0].embedding)
  })

  it('returns a vector of zeros for a text without words', async () => {
    expect(await vectorsOf(' ?! ')).toEqual([Array.from({ length: 256 }, () => 0)])
  })

  it.each([
    ['tokens', { input: [1, 2] }, 'input'],
    ['more than 1,024 dimensions', { input: 'a', dimensions: 1025 }, 'dimensions'],
  ])('refuses %s', async (_, value, param) => {
    expect(await ask('embeddings', value)).toMatchObject({ error: { type: 'unsupported', param } })
  })

  it('gives other requests turns during a long text', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    })
    onTestFinished(() => clearInterval(timer))
    await vectorsOf('word '.repeat(100_000))
    expect(turns).toBeGreaterThan(2)
  })
})

describe('the local reranker', () => {
  const documents = ['birds fly', { text: 'the capital of France is Paris' }, 'France has museums']

  it('orders documents by the words that they share with the query', async () => {
    const { results, usage } = await ask('rerank', { query: 'capital of France', documents, return_documents: true })
    expect(results.map(({ index }: { index: number }) => index)).toEqual([1, 2, 0])
    expect(results[0]).toMatchObject({ document: { text: 'the capital of France is Paris' } })
    expect(results[0].relevance_score).toBeGreaterThan(results[1].relevance_score)
    expect(usage.total_tokens).toBe(14)
  })

  it('returns only as many as requested', async () => {
    const { results } = await ask('rerank', { query: 'Paris', documents, top_n: 1 })
    expect(results).toHaveLength(1)
    expect(results[0]).not.toHaveProperty('document')
  })

  it('refuses documents without a text', async () => {
    expect(await ask('rerank', { query: 'a', documents: [{ image: 'x' }] })).toMatchObject({
      error: { type: 'unsupported', param: 'documents' },
    })
  })
})
