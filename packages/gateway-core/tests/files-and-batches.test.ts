import type { ServerResponse } from 'node:http'
import { adminCheck } from '@trivium/http-contract'
import { openAiProvider } from '@trivium/openai-provider'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { json } from './endpoint-gateway.ts'
import { ADMIN, expectFailure, openGateway } from './open-gateway.ts'
import { type SeenRequest, upstreamServer } from './upstream-server.ts'

const file = { id: 'file-1', object: 'file', bytes: 3, filename: 'a.jsonl', purpose: 'batch', created_at: 1 }
const batch = {
  id: 'batch_1',
  object: 'batch',
  endpoint: '/v1/embeddings',
  input_file_id: 'file-1',
  status: 'validating',
}

function answer(request: SeenRequest, response: ServerResponse): void {
  if (request.path.endsWith('/content')) {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<script>1</script>')
    return
  }
  const isList = request.method === 'GET' && /^\/v1\/(?:files|batches)(?:\?|$)/.test(request.path)
  const value = request.path.startsWith('/v1/files') ? file : batch
  json(isList ? { object: 'list', data: [value], has_more: false } : value)(request, response)
}

async function start(ids: readonly string[] = ['up']) {
  const upstreams = await Promise.all(ids.map(() => upstreamServer(answer)))
  const providers = upstreams.map(({ origin }, index) =>
    openAiProvider({ id: ids[index] ?? '', baseUrl: `${origin}/v1`, apiKey: 'k', models: ['big'] }),
  )
  const open = openGateway({ providers, routes: { admin: adminCheck('secret') } })
  const client = new OpenAI({
    apiKey: 'secret',
    baseURL: 'http://gateway.test/v1',
    maxRetries: 0,
    fetch: async (url, init) =>
      open.send(String(url).replace('http://gateway.test', ''), {
        as: ADMIN,
        method: init?.method ?? 'GET',
        ...(typeof init?.body === 'string' ? { body: init.body } : {}),
        headers: Object.fromEntries(new Headers(init?.headers)),
      }),
  })
  return { open, upstreams, client, upstream: upstreams[0] ?? { seen: [] } }
}

describe('files and batches of the only provider', () => {
  it('relays those of the upstream to the openai client', async () => {
    const { client, upstream } = await start()
    expect((await client.files.list({ limit: 5, after: 'file-0' })).data).toEqual([file])
    expect(await client.files.retrieve('file-1')).toEqual(file)
    expect(await client.files.delete('file-1')).toEqual(file)
    const { id } = await client.batches.create({
      input_file_id: 'file-1',
      endpoint: '/v1/embeddings',
      completion_window: '24h',
    })
    expect(id).toBe('batch_1')
    await client.batches.retrieve('batch_1')
    await client.batches.cancel('batch_1')
    expect((await client.batches.list()).data).toEqual([batch])
    expect(upstream.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/files?limit=5&after=file-0',
      'GET /v1/files/file-1',
      'DELETE /v1/files/file-1',
      'POST /v1/batches',
      'GET /v1/batches/batch_1',
      'POST /v1/batches/batch_1/cancel',
      'GET /v1/batches',
    ])
  })

  it('return the content of a file, which no browser runs', async () => {
    const { client } = await start()
    const response = await client.files.content('file-1')
    expect(await response.text()).toBe('<script>1</script>')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('records the requests', async () => {
    const { client, open } = await start()
    await client.files.list()
    await client.batches.list()
    expect(open.records).toMatchObject([
      { operation: 'file', model: 'up/files', provider: 'up', status: 200, inputTokens: 0, estimated: false },
      { operation: 'batch', model: 'up/batches', provider: 'up', status: 200 },
    ])
  })

  it.each([
    ['GET', '/v1/files'],
    ['GET', '/v1/files/file-1'],
    ['GET', '/v1/files/file-1/content'],
    ['DELETE', '/v1/files/file-1'],
    ['GET', '/v1/batches'],
    ['GET', '/v1/batches/batch_1'],
    ['POST', '/v1/batches/batch_1/cancel'],
  ])('refuse keys, because the account of the upstream is one for all (%s %s)', async (method, path) => {
    const { open, upstream } = await start()
    const { secret } = await open.key()
    expect((await open.send(path, { method, as: secret })).status).toBe(403)
    expect(upstream.seen).toHaveLength(0)
  })

  it.each([
    '/v1/files/..',
    '/v1/files/%2e%2e',
    '/v1/files/..%2fbatches',
    '/v1/files/a%3Fb',
    '/v1/batches/%00',
  ])('refuse an id that would be another path (%s)', async (path) => {
    const { open, upstream } = await start()
    // For some of them there is no route.
    await open.send(path, { as: ADMIN }).catch(() => undefined)
    expect(upstream.seen).toHaveLength(0)
  })

  it('start a batch only once where its answer is lost', async () => {
    const upstream = await upstreamServer((_, response) => response.destroy())
    const provider = openAiProvider({ id: 'up', baseUrl: `${upstream.origin}/v1`, models: ['big'] })
    const open = openGateway({ providers: [provider], retries: { backoffMs: 0 } })
    const body = { input_file_id: 'file-1', endpoint: '/v1/embeddings', completion_window: '24h' }
    await expectFailure(await open.send('/v1/batches', { as: ADMIN, body }), 502, { code: 'upstream_incomplete' })
    expect(upstream.seen).toHaveLength(1)
  })
})

describe('files and batches of several providers', () => {
  it('refuses a request that names none', async () => {
    const { open } = await start(['one', 'two'])
    await expectFailure(await open.send('/v1/files', { as: ADMIN }), 400, {
      code: 'provider_required',
      param: 'x-trivium-provider',
      message: expect.stringContaining('one, two'),
    })
  })

  it.each([
    ['the header', '/v1/files', { 'x-trivium-provider': 'two' }],
    ['the model of the query', '/v1/files?model=two/big', {}],
  ])('asks the provider in %s', async (_, path, headers) => {
    const { open, upstreams } = await start(['one', 'two'])
    expect((await open.send(path, { as: ADMIN, headers })).status).toBe(200)
    expect(upstreams.map(({ seen }) => seen.map((one) => one.path))).toEqual([[], ['/v1/files']])
  })

  it('asks the provider of the model in the body of a batch, which the upstream does not get', async () => {
    const { open, upstreams } = await start(['one', 'two'])
    const body = { input_file_id: 'file-1', endpoint: '/v1/embeddings', completion_window: '24h' }
    expect((await open.send('/v1/batches', { as: ADMIN, body: { model: 'two/big', ...body } })).status).toBe(200)
    expect(JSON.parse(upstreams[1]?.seen[0]?.body ?? '')).toEqual(body)
  })

  it('refuses a provider that does not exist', async () => {
    const { open } = await start(['one', 'two'])
    const headers = { 'x-trivium-provider': 'three' }
    await expectFailure(await open.send('/v1/files', { as: ADMIN, headers }), 400, { code: 'provider_not_found' })
  })
})
