import { once } from 'node:events'
import { connect, constants } from 'node:http2'
import { text } from 'node:stream/consumers'
import { defineContract, eventStream, type Failures, implement, type Reply } from '@trivium/http-contract'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { fastifyRoutes } from './index.ts'

const json = (status: number, value: unknown): Reply => ({ kind: 'json', status, headers: {}, value })

const failures: Failures = {
  malformed: () => json(400, 'malformed'),
  invalid: () => json(422, 'invalid'),
  tooLarge: () => json(413, 'too large'),
  methodNotAllowed: () => json(405, 'method'),
  unexpected: () => json(500, 'fault'),
  interrupted: () => 'fault',
}

const contract = defineContract({
  put: {
    method: 'PUT',
    path: '/things/{id}',
    params: v.object({ id: v.string() }),
    body: v.unknown(),
    responses: { 200: v.unknown() },
  },
  watch: { method: 'GET', path: '/events', responses: { 200: eventStream(v.number()) } },
  follow: { method: 'GET', path: '/followed', responses: { 200: eventStream(v.number()) } },
  hang: { method: 'GET', path: '/hung', responses: { 200: eventStream(v.number(), { commit: 'at-once' }) } },
})

const routes = implement(
  contract,
  {
    put: ({ params, body, rawBody }) => ({
      status: 200,
      body: { ...params, body, raw: rawBody && new TextDecoder().decode(rawBody) },
    }),
    watch: () => ({
      status: 200,
      body: (async function* () {
        yield 1
      })(),
    }),
    follow: ({ ending }) => ({
      status: 200,
      body: (async function* () {
        yield 1
        if (!ending.aborted) await once(ending, 'abort')
      })(),
    }),
    hang: ({ signal }) => ({
      status: 200,
      body: (async function* () {
        yield 1
        await once(signal, 'abort')
      })(),
    }),
  },
  { failures },
)

const hosts: { close(): PromiseLike<unknown> }[] = []

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

function hostWith(prepare: (host: FastifyInstance) => unknown): FastifyInstance {
  const host = fastify({ forceCloseConnections: true })
  hosts.push(host)
  prepare(host)
  return host
}

const put = (host: FastifyInstance, url: string, payload: string, type = 'application/json') =>
  host.inject({ method: 'PUT', url, payload, headers: { 'content-type': type } })

describe('fastifyRoutes', () => {
  it('answers injected requests', async () => {
    const host = hostWith((app) => app.register(fastifyRoutes(routes), { prefix: '/api' }))
    expect((await put(host, '/api/things/a', '{"n":1}')).json()).toEqual({ id: 'a', body: { n: 1 }, raw: '{"n":1}' })
    expect((await put(host, '/api/things/a', '{')).statusCode).toBe(400)
    expect((await host.inject('/api/events')).payload).toBe('data: 1\n\n')
  })

  it('ends streams and sessions over HTTP/2 when Fastify closes', async () => {
    const host = fastify({ http2: true })
    host.register(fastifyRoutes(routes, { graceSeconds: 0.05 }))
    const url = await host.listen({ port: 0, host: '127.0.0.1' })
    const [idle, busy] = [connect(url), connect(url)]
    await once(idle, 'connect')
    const followed = busy.request({ ':path': '/followed' }).setEncoding('utf8')
    const hung = busy.request({ ':path': '/hung' }).setEncoding('utf8')
    await Promise.all([once(followed, 'data'), once(hung, 'data')])
    const ends = [once(followed, 'end'), once(hung, 'error'), once(idle, 'close'), once(busy, 'close')]
    await Promise.all([...ends, host.close()])
    expect([followed.rstCode, hung.rstCode]).toEqual([constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_INTERNAL_ERROR])
  })

  it.each([
    'idle',
    true,
  ] as const)('runs the `onClose` hooks after the last answer with forceCloseConnections %j', async (forced) => {
    const host = fastify({ forceCloseConnections: forced })
    host.register(fastifyRoutes(routes))
    const order: string[] = []
    host.addHook('onResponse', async () => void order.push('onResponse'))
    host.addHook('onClose', async () => void order.push('onClose'))
    const url = await host.listen({ port: 0, host: '127.0.0.1' })
    const response = await fetch(`${url}/followed`)
    const [text] = await Promise.all([response.text(), host.close()])
    expect([text, ...order]).toEqual(['data: 1\n\n', 'onResponse', 'onClose'])
  })

  it('answers over HTTP/2', async () => {
    const host = fastify({ http2: true })
    hosts.push(host)
    const session = connect(await host.register(fastifyRoutes(routes)).listen({ port: 0, host: '127.0.0.1' }))
    const ask = async (method: string, path: string, body?: string) => {
      const stream = session.request({ ':method': method, ':path': path })
      stream.end(body)
      const [headers] = await once(stream, 'response')
      return [headers[':status'], await text(stream)]
    }
    expect(await ask('PUT', '/things/a', '{"n":1}')).toEqual([200, '{"id":"a","body":{"n":1},"raw":"{\\"n\\":1}"}'])
    expect(await ask('PUT', '/things/a', `"${'x'.repeat(2 ** 20)}"`)).toEqual([413, '"too large"'])
    expect(await ask('GET', '/events')).toEqual([200, 'data: 1\n\n'])
    expect(await ask('DELETE', '/things/a')).toEqual([405, '"method"'])
    session.close()
  })

  it('keeps the parsers of the host, also for routes that the host adds later', async () => {
    const host = hostWith((app) => {
      app.addContentTypeParser('text/x-own', { parseAs: 'string' }, (_request, text, done) => done(null, `own ${text}`))
      app.register(fastifyRoutes(routes), { prefix: '/api' })
      app.post('/host', async (request) => ({ body: request.body }))
    })
    const ask = (type: string, payload: string) =>
      host.inject({ method: 'POST', url: '/host', payload, headers: { 'content-type': type } })
    expect((await ask('text/x-own', 'text')).json()).toEqual({ body: 'own text' })
    expect((await ask('application/json', '{"a":1}')).json()).toEqual({ body: { a: 1 } })
    expect((await ask('application/json', '{')).statusCode).toBe(400)
    expect((await put(host, '/api/things/a', '1', 'text/x-own')).json()).toMatchObject({ body: 1 })
  })

  it('accepts a body that a hook of the host has set', async () => {
    const host = hostWith((app) => {
      app.addHook('preValidation', async (request) => {
        request.body = { mine: true }
      })
      app.register(fastifyRoutes(routes))
    })
    expect((await put(host, '/things/a', '1')).json()).toEqual({ id: 'a', body: { mine: true } })
  })

  it('explains a body that a hook of the host has read, and uses one that it has set', async () => {
    const readers: readonly ((request: FastifyRequest, read: string) => void)[] = [
      () => undefined,
      (request, read) => {
        request.body = read
      },
    ]
    const answers = await Promise.all(
      readers.map(async (set) => {
        const host = hostWith((app) => {
          app.addHook('onRequest', async (request) => set(request, await text(request.raw)))
          app.register(fastifyRoutes(routes))
        })
        const url = await host.listen({ port: 0, host: '127.0.0.1' })
        const response = await fetch(`${url}/things/a`, { method: 'PUT', body: '{"n":1}' })
        return [response.status, await response.json()]
      }),
    )
    expect(answers).toEqual([
      [400, 'malformed'],
      [200, { id: 'a', body: { n: 1 }, raw: '{"n":1}' }],
    ])
  })

  it('refuses an option that does not exist', () => {
    const misplaced = [routes, { prefix: '/ai' }]
    expect(() => Reflect.apply(fastifyRoutes, undefined, misplaced)).toThrow(
      new TypeError("fastifyRoutes has no option 'prefix'."),
    )
  })

  it.each(['/ai', '/ai/'])('serves exact and lenient paths under the prefix %j', async (prefix) => {
    const lenient = implement(
      { put: contract.put },
      { put: () => ({ status: 200, body: 1 }) },
      { failures, slashes: 'lenient' },
    )
    for (const served of [routes, lenient]) {
      const host = hostWith((app) => app.register(fastifyRoutes(served), { prefix }))
      expect((await put(host, '/ai/things/a', '1')).statusCode).toBe(200)
      if (served === lenient) expect((await put(host, '/ai/things//a/', '1')).statusCode).toBe(200)
    }
  })

  it('keeps headers and cookies that hooks of the host set, on answers and streams', async () => {
    const seen: unknown[] = []
    const host = hostWith((app) => {
      app.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'x-host': 'yes', 'set-cookie': ['a=1', 'b=2'] })
      })
      app.addHook('onSend', async (_request, _reply, payload) => {
        seen.push(payload)
        return payload
      })
      app.addHook('onResponse', async (request, reply) => {
        seen.push([request.routeOptions.url, reply.raw.statusCode])
      })
      app.register(fastifyRoutes(routes), { prefix: '/api' })
    })
    for (const response of [await put(host, '/api/things/a', '1'), await host.inject('/api/events')]) {
      expect([response.headers['x-host'], response.headers['set-cookie']]).toEqual(['yes', ['a=1', 'b=2']])
    }
    expect(seen).toEqual(['{"id":"a","body":1,"raw":"1"}', ['/api/things/:id', 200], ['/api/events', 200]])
  })

  it('lets hooks of the host refuse requests and change answers', async () => {
    const host = hostWith((app) => {
      app.addHook('preHandler', async (request, reply) => {
        if (request.headers.authorization !== 'yes') return reply.code(401).send('who?')
      })
      app.addHook('onSend', async (_request, reply, payload) => {
        reply.removeHeader('content-length')
        return String(payload).toUpperCase()
      })
      app.register(fastifyRoutes(routes))
    })
    expect((await put(host, '/things/a', '1')).statusCode).toBe(401)
    const answer = await host.inject({
      method: 'PUT',
      url: '/things/a',
      payload: '1',
      headers: { authorization: 'yes' },
    })
    expect(answer.payload).toBe('{"ID":"A","BODY":1,"RAW":"1"}')
  })

  it('leaves errors of other routes and unknown paths to the handlers of the host', async () => {
    const host = hostWith((app) => {
      app.setErrorHandler(async (_error, _request, reply) => reply.code(418).send('mine'))
      app.setNotFoundHandler(async (_request, reply) => reply.code(404).send('not here'))
      app.register(fastifyRoutes(routes), { prefix: '/api' })
      app.get('/broken', async () => {
        throw new Error('x')
      })
    })
    expect((await host.inject('/broken')).payload).toBe('mine')
    expect((await put(host, '/api/things/a', '{')).payload).toBe('"malformed"')
    for (const url of ['/api/nothing', '/api/things/', '/api/Events'])
      expect((await host.inject(url)).payload).toBe('not here')
  })

  it('serves a path that has a route of the host for another method', async () => {
    const host = hostWith((app) => {
      app.get<{ Params: { id: string } }>('/api/things/:id', async (request) => `host ${request.params.id}`)
      app.register(fastifyRoutes(routes), { prefix: '/api' })
    })
    expect((await host.inject('/api/things/a')).payload).toBe('host a')
    expect((await put(host, '/api/things/a', '1')).statusCode).toBe(200)
    expect((await host.inject({ method: 'DELETE', url: '/api/things/a' })).statusCode).toBe(405)
  })

  it('refuses a method that the host has added to Fastify', async () => {
    const host = hostWith((app) => {
      app.addHttpMethod('PROPFIND', { hasBody: true })
      app.register(fastifyRoutes(routes))
    })
    for (const options of [{}, { payload: '{', headers: { 'content-type': 'x' } }])
      expect((await host.inject({ ...options, method: 'PROPFIND', url: '/things/a' })).statusCode).toBe(405)
  })

  it('serves the same routes at two prefixes', async () => {
    const host = hostWith((app) => {
      app.register(fastifyRoutes(routes), { prefix: '/one' })
      app.register(async (nested) => nested.register(fastifyRoutes(routes), { prefix: '/two' }), { prefix: '/deep' })
    })
    for (const url of ['/one/things/a', '/deep/two/things/a']) expect((await put(host, url, '1')).statusCode).toBe(200)
  })
})
