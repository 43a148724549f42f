import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { defineContract, eventStream, type Failures, implement, type Reply } from '@trivium/http-contract'
import express, { type ErrorRequestHandler, type Express, type Request, Router } from 'express'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { expressRoutes } from './index.ts'

const json = (status: number, value: unknown): Reply => ({ kind: 'json', status, headers: {}, value })

const failures: Failures = {
  malformed: (detail) => json(400, detail),
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
  upload: { method: 'POST', path: '/uploads', upload: v.object({ file: v.string() }), responses: { 200: v.unknown() } },
  watch: { method: 'GET', path: '/events', responses: { 200: eventStream(v.number()) } },
})

const faults: string[] = []

const routes = implement(
  contract,
  {
    put: ({ params, body, rawBody }) => ({
      status: 200,
      body: { ...params, body, raw: rawBody && new TextDecoder().decode(rawBody) },
    }),
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

const cleanups: (() => void)[] = []

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function listen(application: Express): Promise<string> {
  const server = application.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const put = (url: string, body: string, type = 'application/json') =>
  fetch(url, { method: 'PUT', body, headers: { 'content-type': type } })

describe('expressRoutes', () => {
  it('accepts JSON that the host has parsed, and reads other bodies itself', async () => {
    const url = await listen(express().use(express.json()).use('/api', expressRoutes(routes)))
    expect(await (await put(`${url}/api/things/a`, '{"n":1}')).json()).toEqual({ id: 'a', body: { n: 1 } })
    expect(await (await put(`${url}/api/things/a`, '[2]', 'text/plain')).json()).toEqual({
      id: 'a',
      body: [2],
      raw: '[2]',
    })
    expect(await (await fetch(`${url}/api/things/a`, { method: 'PUT' })).json()).toEqual({ id: 'a' })
  })

  it('accepts text or bytes that the host has read', async () => {
    for (const parser of [express.text({ type: () => true }), express.raw({ type: () => true })]) {
      const url = await listen(express().use(parser).use(expressRoutes(routes)))
      expect(await (await put(`${url}/things/a`, '{"n":"ü"}')).json()).toEqual({
        id: 'a',
        body: { n: 'ü' },
        raw: '{"n":"ü"}',
      })
      expect((await put(`${url}/things/a`, '{')).status).toBe(400)
    }
  })

  it('uses uploads that the host has read as bytes, and explains those that it has parsed', async () => {
    const post = (url: string, type: string) =>
      fetch(`${url}/uploads`, { method: 'POST', body: '{"a":1}', headers: { 'content-type': type } })
    const raw = await listen(express().use(express.raw({ type: () => true }), expressRoutes(routes)))
    expect(await (await post(raw, 'audio/wav')).json()).toBe('{"a":1}')
    const parsed = await listen(express().use(express.json(), expressRoutes(routes)))
    const refused = await post(parsed, 'application/json')
    expect([refused.status, await refused.json()]).toEqual([
      400,
      'the server has read the body before this service could',
    ])
    expect(faults.splice(0)).toEqual([expect.stringContaining('Mount the routes before the parser of forms.')])
    expect(await (await post(parsed, 'audio/wav')).json()).toBe('{"a":1}')
  })

  it('reads a body for which a parser of the host has set an empty object', async () => {
    const application = express().use((request, _response, next) => {
      request.body = {}
      next()
    })
    const url = await listen(application.use(expressRoutes(routes)))
    expect(await (await put(`${url}/things/a`, '{"n":1}')).json()).toMatchObject({ body: { n: 1 } })
  })

  it.each([true, false])('explains JSON that a form parser has read (extended: %j)', async (extended) => {
    const application = express().use(express.json(), express.urlencoded({ extended }))
    const url = await listen(application.use(expressRoutes(routes)))
    const form = 'application/x-www-form-urlencoded'
    for (const body of ['{"model":"x","messages":[{"role":"user"}]}', ' {"n":1}', '{"a":"b=c&d"}']) {
      const refused = await put(`${url}/things/a`, body, form)
      expect([refused.status, await refused.json()]).toEqual([
        400,
        'it was sent as "application/x-www-form-urlencoded". Send the header "content-type: application/json"',
      ])
    }
    expect(faults.splice(0)).toEqual(
      Array(3).fill(
        'A form parser of the host has read a JSON body, because its content type is "application/x-www-form-urlencoded". Mount the routes before the parser, so that they accept JSON with any content type.',
      ),
    )
    expect(await (await put(`${url}/things/a`, 'n=1', form)).json()).toEqual({ id: 'a', body: { n: '1' } })
  })

  it.each(['content-length', 'transfer-encoding'])('explains a body with %s that the host has read', async (header) => {
    const application = express().use(async (request, _response, next) => {
      for await (const _chunk of request);
      next()
    })
    const url = await listen(application.use(expressRoutes(routes)))
    const body = header === 'content-length' ? '{"n":1}' : new Blob(['{"n":1}']).stream()
    const sent = { method: 'PUT', body, duplex: 'half' }
    const refused = await fetch(`${url}/things/a`, sent)
    expect([refused.status, await refused.json()]).toEqual([
      400,
      'the server has read the body before this service could',
    ])
    expect(faults.splice(0)).toEqual([
      'The body of a request was read before the mount. Mount the routes before what reads it, or set `request.body` to what was read.',
    ])
    expect((await fetch(`${url}/things/a`, { method: 'PUT' })).status).toBe(200)
  })

  it('leaves JSON that a parser of the host refuses to the error handler of the host', async () => {
    const answerTeapot: ErrorRequestHandler = (_error, _request, response, _next) =>
      void response.status(418).send('mine')
    const url = await listen(express().use(express.json()).use(expressRoutes(routes)).use(answerTeapot))
    expect((await put(`${url}/things/a`, '{')).status).toBe(418)
  })

  it('keeps the headers of the host on answers and streams, and sets their status', async () => {
    const seen: unknown[] = []
    const application = express().use((request, response, next) => {
      response.setHeader('x-host', 'yes')
      response.cookie('session', 's')
      response.on('finish', () => seen.push([request.method, response.statusCode]))
      next()
    })
    const url = await listen(application.use(expressRoutes(routes)))
    for (const response of [await put(`${url}/things/a`, '1'), await fetch(`${url}/events`)]) {
      expect([response.headers.get('x-host'), response.headers.get('set-cookie')]).toEqual(['yes', 'session=s; Path=/'])
      await response.text()
    }
    expect(seen).toEqual([
      ['PUT', 200],
      ['GET', 200],
    ])
  })

  it('sets the template of the route for metrics of the host', async () => {
    const templates: unknown[] = []
    const application = express().use((request: Request, response, next) => {
      response.on('finish', () => templates.push(`${request.baseUrl}${request.route?.path}`))
      next()
    })
    const url = await listen(application.use('/api', expressRoutes(routes)))
    await (await put(`${url}/api/things/a`, '1')).text()
    expect(templates).toEqual(['/api/things/:id'])
  })

  it('works under a router with parameters, twice, and next to routes of the same prefix', async () => {
    const tenants = Router({ mergeParams: true }).use(expressRoutes(routes))
    const application = express()
      .get('/api/things/:id', (request, response) => void response.send(`host ${request.params.id}`))
      .use('/api', expressRoutes(routes))
      .use('/tenants/:tenant', tenants)
      .get('/api/later', (_request, response) => void response.send('later'))
    const url = await listen(application)
    expect(await (await fetch(`${url}/api/things/a`)).text()).toBe('host a')
    expect((await put(`${url}/api/things/a`, '1')).status).toBe(200)
    expect(await (await put(`${url}/tenants/t/things/b`, '1')).json()).toEqual({ id: 'b', body: 1, raw: '1' })
    expect(await (await fetch(`${url}/api/later`)).text()).toBe('later')
  })

  it('leaves requests that the host refuses before the mount to the host', async () => {
    const application = express().use((request, response, next) => {
      if (request.headers.authorization === 'yes') next()
      else response.sendStatus(401)
    })
    const url = await listen(application.use(expressRoutes(routes)))
    expect((await put(`${url}/things/a`, '1')).status).toBe(401)
  })
})
