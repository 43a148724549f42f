import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { defineContract, eventStream, type Failures, implement, type Reply, relay } from '@trivium/http-contract'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { fetchHandler } from './index.ts'

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
    bodyLimit: 20,
    responses: { 200: v.unknown() },
  },
  upload: { method: 'POST', path: '/uploads', upload: v.object({ file: v.string() }), responses: { 200: v.unknown() } },
  watch: { method: 'GET', path: '/events', responses: { 200: eventStream(v.number()) } },
})

const faults: string[] = []

const routes = implement(
  contract,
  {
    put: ({ params, body }) => ({ status: 200, body: { ...params, body } }),
    upload: async ({ upload }) => {
      let text = ''
      for await (const chunk of upload.chunks) text += new TextDecoder().decode(chunk)
      return { status: 200, body: text }
    },
    watch: () => ({
      status: 200,
      body: (async function* () {
        yield 1
      })(),
    }),
  },
  { failures, onFault: (error) => void faults.push(error instanceof Error ? error.message : String(error)) },
)

const put = (path: string, body?: BodyInit) =>
  new Request(`http://host${path}`, body === undefined ? { method: 'PUT' } : { method: 'PUT', body })

async function answer(handle: ReturnType<typeof fetchHandler>, request: Request): Promise<unknown> {
  const response = await handle(request)
  return response && [response.status, await response.text()]
}

describe('fetchHandler', () => {
  it('answers without a server', async () => {
    const handle = fetchHandler(routes)
    expect(await answer(handle, put('/things/a%2Fb', '{"n":1}'))).toEqual([200, '{"id":"a/b","body":{"n":1}}'])
    expect(await answer(handle, put('/things/a'))).toEqual([200, '{"id":"a"}'])
    expect(await answer(handle, put('/things/a', '{'))).toEqual([400, '"malformed"'])
    expect(await answer(handle, new Request('http://host/events#part'))).toEqual([200, 'data: 1\n\n'])
  })

  it('limits the size of a body without a content length', async () => {
    const handle = fetchHandler(routes)
    const parts = (...texts: readonly string[]) => ({
      method: 'PUT',
      body: new Blob([...texts]).stream(),
      duplex: 'half',
    })
    const request = (...texts: readonly string[]) => new Request('http://host/things/a', parts(...texts))
    expect(await answer(handle, request('[1,', '2]'))).toEqual([200, '{"id":"a","body":[1,2]}'])
    expect(await answer(handle, request('"', 'x'.repeat(30), '"'))).toEqual([413, '"too large"'])
  })

  it('returns undefined for other paths, also those that begin with the text of the prefix', async () => {
    const handle = fetchHandler(routes, { prefix: '/api' })
    expect(await answer(handle, put('/api/things/a', '1'))).toEqual([200, '{"id":"a","body":1}'])
    for (const path of ['/things/a', '/apix/things/a', '/abc/things/a', '/api', '/api/', '/api/things']) {
      expect(await handle(put(path))).toBeUndefined()
    }
  })

  it('works with middlewares of Hono', async () => {
    const handle = fetchHandler(routes, { prefix: '/api' })
    const host = new Hono()
      .use(cors())
      .use(secureHeaders())
      .get('/api/own', (context) => context.text('own'))
      .use(async (context, next) => (await handle(context.req.raw)) ?? next())
      .notFound((context) => context.text('not here', 404))
    const response = await host.fetch(put('/api/things/a', '1'))
    expect([response.status, response.headers.get('access-control-allow-origin'), await response.text()]).toEqual([
      200,
      '*',
      '{"id":"a","body":1}',
    ])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await (await host.request('/api/events')).text()).toBe('data: 1\n\n')
    expect(await (await host.request('/api/own')).text()).toBe('own')
    expect(await (await host.request('/api/nothing')).text()).toBe('not here')
  })

  it('accepts a body that the host has read, as text, bytes or a value', async () => {
    const handle = fetchHandler(routes)
    for (const body of ['{"n":1}', new TextEncoder().encode('{"n":1}'), { n: 1 }]) {
      const request = put('/things/a', '{"n":1}')
      await request.text()
      const response = await handle(request, { body })
      expect(await response?.json()).toEqual({ id: 'a', body: { n: 1 } })
    }
  })

  it('uses uploads that the host has read as bytes, and explains those that it has parsed', async () => {
    const handle = fetchHandler(routes)
    const post = () => new Request('http://host/uploads', { method: 'POST', body: 'abc' })
    expect(await answer(handle, post())).toEqual([200, '"abc"'])
    const refused = async (body?: unknown) => {
      const request = post()
      await request.text()
      const response = await handle(request, { body })
      return [response?.status, await response?.json()]
    }
    expect(await refused(new TextEncoder().encode('abc'))).toEqual([200, 'abc'])
    expect(await refused(new FormData())).toEqual([400, 'malformed'])
    expect(await refused()).toEqual([400, 'malformed'])
    expect(faults.splice(0)).toHaveLength(2)
  })

  it('explains a body that a middleware of Hono has read', async () => {
    const app = new Hono().use(async (context, next) => {
      await context.req.json()
      return (await fetchHandler(routes)(context.req.raw)) ?? next()
    })
    const answers = async (response: Response) =>
      expect([response.status, await response.json()]).toEqual([400, 'malformed'])
    for (const headers of [{}, { 'content-length': '7' }]) {
      await answers(await app.fetch(new Request('http://host/things/a', { method: 'PUT', body: '{"n":1}', headers })))
    }
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
    await once(server, 'listening')
    // A server that listens on a port has an address.
    const { port } = server.address() as AddressInfo
    await answers(await fetch(`http://127.0.0.1:${port}/things/a`, { method: 'PUT', body: '{"n":1}' }))
    server.close()
    const fault =
      'The body of a request was read before the mount. Pass what was read to the fetch handler, as `body` of its second argument.'
    expect(faults.splice(0)).toEqual([fault, fault, fault])
  })

  it('accepts the body that Hono keeps after a middleware has read it', async () => {
    const app = new Hono()
      .use(async (context, next) => {
        await context.req.json()
        return next()
      })
      .use(async (context, next) => {
        const body = context.req.raw.bodyUsed ? await context.req.text() : undefined
        return (await fetchHandler(routes)(context.req.raw, { body })) ?? next()
      })
    expect(await (await app.fetch(put('/things/a', '{"n":1}'))).json()).toEqual({ id: 'a', body: { n: 1 } })
  })

  it.each(['ai', '/ai/', '/ai'])('reads the prefix %j', async (prefix) => {
    const handle = fetchHandler(routes, { prefix })
    expect(await answer(handle, put('/ai/things/a', '1'))).toEqual([200, '{"id":"a","body":1}'])
  })

  it('refuses an option that does not exist', () => {
    const misspelt = [routes, { prefx: '/ai' }]
    expect(() => Reflect.apply(fetchHandler, undefined, misspelt)).toThrow(
      new TypeError("fetchHandler has no option 'prefx'."),
    )
  })

  it('refuses a prefix that is not a path', () => {
    expect(() => fetchHandler(routes, { prefix: '/ai?x' })).toThrow(TypeError)
    expect(fetchHandler(routes, { prefix: '/' })).toBeTypeOf('function')
  })

  it('closes a stream that its reader cancels', async () => {
    let closed = false
    const [watch] = implement(
      { watch: contract.watch },
      {
        watch: () => ({
          status: 200,
          body: {
            [Symbol.asyncIterator]: () => ({
              next: async () => ({ done: false, value: 1 }),
              return: async () => {
                closed = true
                return { done: true, value: undefined }
              },
            }),
          },
        }),
      },
      { failures },
    )
    const response = await fetchHandler(watch ? [watch] : [])(new Request('http://host/events'))
    const reader = response?.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n')
    await reader?.cancel()
    expect(closed).toBe(true)
  })

  it('cuts off a relay, and lets the mount close, when the host only aborts the request', async () => {
    let isClosed = false
    const [watch] = implement(
      { watch: contract.watch },
      {
        watch: () => ({
          status: 200,
          body: relay(
            (sink) => {
              sink.write('data: 1\n\n')
              return {
                resume: () => undefined,
                close: () => {
                  isClosed = true
                },
              }
            },
            () => undefined,
          ),
        }),
      },
      { failures },
    )
    const handle = fetchHandler(watch ? [watch] : [])
    const client = new AbortController()
    const response = await handle(new Request('http://host/events', { signal: client.signal }))
    const text = response?.text()
    client.abort()
    await expect(text).rejects.toThrow('The answer was cut off')
    expect(isClosed).toBe(true)
    await handle.close({ graceSeconds: 3_600 })
  })
})
