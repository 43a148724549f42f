import type { ServerResponse } from 'node:http'
import { Agent } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { context, failureOf, latch } from '../../../gateway-core/tests/provider-calls.ts'
import { type SeenRequest, upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { objectOr } from '../answers/json.ts'
import { discard } from '../calls/upstream-answer.ts'
import { readAnswer, readJson } from '../reading/read-answer.ts'
import { createUpstream, type UpstreamOptions } from './create-upstream.ts'

async function upstreamWith(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  options: Partial<UpstreamOptions> = {},
) {
  const server = await upstreamServer(answer)
  const upstream = createUpstream({ baseUrl: `${server.origin}/v1/`, errorIn: objectOr, ...options })
  onTestFinished(() => upstream.close())
  return { ...server, upstream }
}

const empty = (_: SeenRequest, response: ServerResponse) => void response.end('{}')

describe('a request of createUpstream', () => {
  it('sends a body as a POST of JSON below the base URL', async () => {
    const { upstream, seen } = await upstreamWith(empty, { headers: { Authorization: 'Bearer k', 'X-Org': 'o' } })
    await readAnswer(await upstream.call({ path: '/chat?a=1', body: '{"a":1}', accept: 'text/plain' }, context()))
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/chat?a=1',
      body: '{"a":1}',
      headers: {
        authorization: 'Bearer k',
        'x-org': 'o',
        accept: 'text/plain',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'user-agent': 'trivium',
        'x-request-id': 'request-1',
      },
    })
  })

  it('sends a GET without a body', async () => {
    const { upstream, seen } = await upstreamWith(empty)
    await readAnswer(await upstream.call({ path: '/models' }, { signal: context().signal }))
    expect(seen[0]).toMatchObject({
      method: 'GET',
      path: '/v1/models',
      body: '',
      headers: { accept: 'application/json' },
    })
    for (const name of ['content-type', 'x-request-id', 'authorization']) {
      expect(seen[0]?.headers).not.toHaveProperty(name)
    }
  })

  it('passes the trace headers on, but not the credentials of the client', async () => {
    const { upstream, seen } = await upstreamWith(empty)
    const headers = { traceparent: '00-1-2-01', authorization: 'Bearer tvm_1', cookie: 'a=b' }
    await readAnswer(await upstream.call({ path: '/' }, { ...context(), headers }))
    expect(seen[0]?.headers).toMatchObject({ traceparent: '00-1-2-01' })
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
    expect(seen[0]?.headers).not.toHaveProperty('cookie')
  })

  it('uses the dispatcher of the host, and does not close it', async () => {
    const dispatcher = new Agent()
    onTestFinished(() => dispatcher.destroy())
    const { upstream } = await upstreamWith(empty, { dispatcher })
    await upstream.close()
    expect((await upstream.call({ path: '/' }, context())).status).toBe(200)
  })

  it('rejects as unreachable after close', async () => {
    const { upstream } = await upstreamWith(empty)
    await upstream.close()
    expect(await failureOf(upstream.call({ path: '/' }, context()))).toMatchObject({ type: 'unreachable' })
  })
})

describe('an answer to createUpstream', () => {
  it('parses an answer as JSON, or returns undefined', async () => {
    const { upstream } = await upstreamWith(({ path }, response) => {
      response.end(path === '/v1/json' ? '\uFEFF{"a":1}' : '{"a":')
    })
    expect(await readJson(await upstream.ask({ path: '/json' }, context()))).toEqual({ a: 1 })
    expect(await readJson(await upstream.ask({ path: '/half' }, context()))).toBeUndefined()
  })

  it('rejects with the message of the upstream, without the secrets of the headers', async () => {
    const { upstream } = await upstreamWith(
      (_, response) => response.writeHead(400, { 'retry-after': '3' }).end('{"message":"Not k3y, t0ken or c00kie"}'),
      { headers: { 'X-Api-Key': 'k3y', authorization: 'Bearer t0ken', Cookie: 'c00kie', 'x-org': 'or' } },
    )
    expect(upstream.secrets).toHaveLength(3)
    expect(await failureOf(upstream.ask({ path: '/' }, context()))).toMatchObject({
      type: 'refused',
      status: 400,
      message: 'Not ***, *** or ***',
      retryAfterSeconds: 3,
    })
  })

  it('reads only the beginning of an endless refusal', async () => {
    const closed = latch<void>()
    const { upstream } = await upstreamWith((_, response) => {
      response.writeHead(500)
      response.on('close', () => closed.resolve())
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', more)
      more()
    })
    const refused = await upstream.refusalOf(await upstream.call({ path: '/' }, context()))
    expect([refused.status, refused.text.length]).toEqual([500, 65_536])
    await closed.promise
  })

  it('keeps the status of a refusal that is cut off or compressed', async () => {
    const { upstream } = await upstreamWith(({ path }, response) => {
      if (path === '/v1/compressed') response.writeHead(429, { 'content-encoding': 'br' }).end('...')
      else response.writeHead(429, { 'content-length': '100' }).write('{', () => response.socket?.resetAndDestroy())
    })
    for (const path of ['/cut', '/compressed'] as const) {
      expect(await failureOf(upstream.ask({ path }, context()))).toMatchObject({ type: 'refused', status: 429 })
    }
  })

  it('frees the connection of a discarded answer', async () => {
    const closed = latch<void>()
    const { upstream } = await upstreamWith((_, response) => {
      response.on('close', () => closed.resolve())
      response.write('x')
    })
    discard(await upstream.call({ path: '/' }, context()))
    await closed.promise
  })
})

it.each([
  'file:///etc/passwd',
  'ws://example.com',
  'nonsense',
])('createUpstream throws for the base URL %s', (baseUrl) => {
  expect(() => createUpstream({ baseUrl, errorIn: objectOr })).toThrow(TypeError)
})

describe('the headers of an answer', () => {
  it('show no secret of the request', async () => {
    const repeated = { 'openai-echo': 'of sk-secret', 'x-request-id': 'sk-secret', 'x-ratelimit-limit': '5' }
    const { upstream } = await upstreamWith(
      (_, response) => void response.writeHead(200, { ...repeated, 'content-type': 'text/plain; of=sk-secret' }).end(),
      { headers: { authorization: 'Bearer sk-secret' } },
    )
    const answer = await upstream.call({ path: '/' }, context())
    discard(answer)
    expect(answer.headers).toMatchObject({
      'openai-echo': 'of ***',
      'x-request-id': '***',
      'x-ratelimit-limit': '5',
      'content-type': 'text/plain; of=***',
    })
  })

  it('keep what says how the answer is read, where the key of a local upstream is a short text', async () => {
    const { upstream } = await upstreamWith(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/plain', 'retry-after': '10' }).end(),
      { headers: { authorization: 'Bearer x', 'x-api-key': '1' } },
    )
    const answer = await upstream.call({ path: '/' }, context())
    discard(answer)
    expect(answer.headers).toMatchObject({ 'content-type': 'text/plain', 'retry-after': '10' })
  })
})
