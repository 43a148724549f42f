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
  const upstream = createUpstream({ baseUrl: `${server.origin}/v1/`, wordsIn: objectOr, ...options })
  onTestFinished(() => upstream.close())
  return { ...server, upstream }
}

const empty = (_: SeenRequest, response: ServerResponse) => void response.end('{}')

describe('a call of an upstream', () => {
  it('sends a body as a POST below the base URL, with headers that say so', async () => {
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

  it('sends a GET where there is no body', async () => {
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

  it('takes the trace along, and never the credentials of the client', async () => {
    const { upstream, seen } = await upstreamWith(empty)
    const headers = { traceparent: '00-1-2-01', authorization: 'Bearer tvm_1', cookie: 'a=b' }
    await readAnswer(await upstream.call({ path: '/' }, { ...context(), headers }))
    expect(seen[0]?.headers).toMatchObject({ traceparent: '00-1-2-01' })
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
    expect(seen[0]?.headers).not.toHaveProperty('cookie')
  })

  it('calls through the dispatcher of the host, and leaves it open', async () => {
    const dispatcher = new Agent()
    onTestFinished(() => dispatcher.destroy())
    const { upstream } = await upstreamWith(empty, { dispatcher })
    await upstream.close()
    expect((await upstream.call({ path: '/' }, context())).status).toBe(200)
  })

  it('reports an upstream that was closed as unreachable', async () => {
    const { upstream } = await upstreamWith(empty)
    await upstream.close()
    expect(await failureOf(upstream.call({ path: '/' }, context()))).toMatchObject({ type: 'unreachable' })
  })
})

describe('an answer of an upstream', () => {
  it('reads an answer as JSON, or as undefined', async () => {
    const { upstream } = await upstreamWith(({ path }, response) => {
      response.end(path === '/v1/json' ? '\uFEFF{"a":1}' : '{"a":')
    })
    expect(await readJson(await upstream.ask({ path: '/json' }, context()))).toEqual({ a: 1 })
    expect(await readJson(await upstream.ask({ path: '/half' }, context()))).toBeUndefined()
  })

  it('reports a refusal in the words of the upstream, without the secrets of the headers', async () => {
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

  it('reads a refusal without end only as far as needed', async () => {
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

  it('keeps the status of a refusal that is cut or compressed', async () => {
    const { upstream } = await upstreamWith(({ path }, response) => {
      if (path === '/v1/compressed') response.writeHead(429, { 'content-encoding': 'br' }).end('...')
      else response.writeHead(429, { 'content-length': '100' }).write('{', () => response.socket?.resetAndDestroy())
    })
    for (const path of ['/cut', '/compressed'] as const) {
      expect(await failureOf(upstream.ask({ path }, context()))).toMatchObject({ type: 'refused', status: 429 })
    }
  })

  it('frees the connection of an answer that no one reads', async () => {
    const closed = latch<void>()
    const { upstream } = await upstreamWith((_, response) => {
      response.on('close', () => closed.resolve())
      response.write('x')
    })
    discard(await upstream.call({ path: '/' }, context()))
    await closed.promise
  })
})

it.each(['file:///etc/passwd', 'ws://example.com', 'nonsense'])('refuses to be made for %s', (baseUrl) => {
  expect(() => createUpstream({ baseUrl, wordsIn: objectOr })).toThrow(TypeError)
})
