import { describe, expect, it } from 'vitest'
import { json, startEndpoints as start } from './endpoint-gateway.ts'

describe.each(['/v1/rerank', '/v2/rerank'])('POST %s', (path) => {
  const post = (url: string, secret: string, body: unknown) =>
    fetch(url + path, { method: 'POST', headers: { authorization: `Bearer ${secret}` }, body: JSON.stringify(body) })

  it('relays the results of the upstream', async () => {
    const answer = { id: 'r', results: [{ index: 1, relevance_score: 0.9 }], meta: { tokens: { input_tokens: 12 } } }
    const { url, secret, upstream, record } = await start(json(answer))
    const body = { query: 'q', documents: ['a', { text: 'b' }], top_n: 1, return_documents: false }
    const response = await post(url, secret, { model: 'up/rerank-v3', ...body })
    expect(await response.json()).toEqual(answer)
    expect(upstream.seen[0]).toMatchObject({ path: '/v1/rerank' })
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).toEqual({ model: 'rerank-v3', ...body })
    expect(await record).toMatchObject({ operation: 'rerank', inputTokens: 12, estimated: false })
  })

  it('refuses a request without documents', async () => {
    const { url, secret } = await start(json({}))
    const response = await post(url, secret, { model: 'up/rerank-v3', query: 'q', documents: [] })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'documents' } })
  })
})
