import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { defineContract, type Failures, implement } from '@trivium/http-contract'
import fastify, { type FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { fastifyRoutes, fastifySockets } from './index.ts'

const empty = (status: number) => ({ kind: 'empty', status, headers: {} }) as const

const failures: Failures = {
  malformed: () => empty(400),
  invalid: () => empty(422),
  tooLarge: () => empty(413),
  methodNotAllowed: () => empty(405),
  unexpected: () => empty(500),
  interrupted: () => undefined,
}

const contract = defineContract({
  place: { method: 'GET', path: '/place', responses: { 200: v.unknown() } },
})
const lenientContract = defineContract({
  lenientPlace: { method: 'GET', path: '/lenient/place', responses: { 200: v.unknown() } },
})

const answer = ({ mount }: { readonly mount: { readonly origin: string; readonly path: string } }) =>
  ({ status: 200, body: `${mount.origin}${mount.path}` }) as const

const place = () =>
  fastifyRoutes([
    ...implement(contract, { place: answer }, { failures }),
    ...implement(lenientContract, { lenientPlace: answer }, { failures, slashes: 'lenient' }),
  ])

const hosts: { close(): PromiseLike<unknown> }[] = []

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

function opened<Host extends { close(): PromiseLike<unknown> }>(host: Host): Host {
  hosts.push(host)
  return host
}

const ask = async (host: FastifyInstance, url: string, headers: Readonly<Record<string, string>> = {}) =>
  (await host.inject({ url, headers: { host: 'shop.example:8080', ...headers } })).json()

const forwarded = {
  'x-forwarded-for': '192.0.2.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'public.example',
  'x-forwarded-prefix': '/stripped',
}

describe('fastifyRoutes', () => {
  it.each([
    ['/place', ''],
    ['/ai/place', '/ai'],
    ['/ai/lenient//place/', '/ai'],
    ['/deep/er/place', '/deep/er'],
    ['/of/acme%20inc/ai/place?x=/place', '/of/acme%20inc/ai'],
    ['/of/acme/ai/lenient//place', '/of/acme/ai'],
    ['/rewritten/place', '/rewritten'],
    ['/replaced', '/ai'],
  ])('reports the mount of %s', async (url, path) => {
    const host = opened(
      fastify({
        rewriteUrl: ({ url: sent = '/' }) => sent.replace(/^\/rewritten/, '/ai').replace(/^\/replaced$/, '/ai/place'),
      }),
    )
    host.register(place())
    host.register(place(), { prefix: '/ai' })
    host.register(async (deep) => void deep.register(place(), { prefix: '/er' }), { prefix: '/deep' })
    host.register(async (tenant) => void tenant.register(place(), { prefix: '/ai' }), { prefix: '/of/:tenant' })
    expect(await ask(host, url)).toBe(`http://shop.example:8080${path}`)
  })

  it.each([
    ['http://evil.example/ai/place', '/ai'],
    ['HTTPS://evil.example/ai/place?x=//b/place', '/ai'],
    ['http://evil.example/ai/lenient//place', '/ai'],
    ['http://evil.example/place', ''],
    ['http://evil.example/of/acme/ai/place', '/of/acme/ai'],
  ])('reports the mount of the absolute target %s', async (target, path) => {
    const host = opened(fastify())
    host.register(place())
    host.register(place(), { prefix: '/ai' })
    host.register(place(), { prefix: '/of/:tenant/ai' })
    await host.listen({ port: 0, host: '127.0.0.1' })
    const outgoing = request(host.listeningOrigin, { path: target, headers: { host: 'good' }, agent: false }).end()
    const [incoming] = await once(outgoing, 'response')
    expect(JSON.parse(await text(incoming))).toBe(`http://good${path}`)
  })

  it.each([
    ['/AI/place', '/AI'],
    ['//ai/place', '/ai'],
    ['/%61i//lenient/place', '/%61i'],
    ['/of/acme/AI/place', '/of/acme/AI'],
    ['/of/acme/AI/lenient/place', '/of/acme/AI'],
    ['//of//evil.example/ai//place', '/of/evil.example/ai'],
    ['//evil.example/nas/place', '/evil.example/nas'],
    ['///evil.example//NAS/lenient//place/', '/evil.example/NAS'],
  ])('reports the mount of the spelling %s', async (url, path) => {
    const host = opened(fastify({ routerOptions: { caseSensitive: false, ignoreDuplicateSlashes: true } }))
    for (const prefix of ['/ai', '/of/:tenant/ai', '/:tenant/nas']) host.register(place(), { prefix })
    expect(await ask(host, url)).toBe(`http://shop.example:8080${path}`)
  })

  it('takes the address from a proxy that the host trusts', async () => {
    const host = opened(fastify({ trustProxy: '127.0.0.1' }))
    host.register(place(), { prefix: '/ai' })
    expect(await ask(host, '/ai/place', forwarded)).toBe('https://public.example/stripped/ai')
    expect(await ask(host, '/ai/place')).toBe('http://shop.example:8080/ai')
  })

  it('ignores the headers of a proxy that the host does not trust', async () => {
    for (const trustProxy of [false, '10.0.0.0/8']) {
      const host = opened(fastify({ trustProxy }))
      host.register(place(), { prefix: '/ai' })
      expect(await ask(host, '/ai/place', forwarded)).toBe('http://shop.example:8080/ai')
    }
  })

  it('reports the authority of HTTP/2', async () => {
    const host = opened(fastify({ http2: true }))
    const session = connect(await host.register(place(), { prefix: '/ai' }).listen({ port: 0, host: '127.0.0.1' }))
    const stream = session.request({ ':path': '/ai/place', ':authority': 'shop.example' })
    await once(stream, 'response')
    expect(JSON.parse(await text(stream))).toBe('http://shop.example/ai')
    session.close()
  })
})

describe('fastifySockets', () => {
  it('serves upgrades under a prefix with parameters', async () => {
    const host = opened(fastify())
    host.register(
      fastifySockets([
        {
          id: 'place',
          operation: { path: '/place' },
          slashes: 'exact',
          accept: async ({ mount: { path } }) => ({
            reply: { kind: 'json', status: 403, headers: {}, value: path },
          }),
          onFault: () => undefined,
        },
      ]),
      { prefix: '/:tenant/lab' },
    )
    const url = await host.listen({ port: 0, host: '127.0.0.1' })
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const outgoing = request(`${url}/acme/lab/place`, { headers, agent: false }).end()
    const [incoming] = await once(outgoing, 'response')
    expect(JSON.parse(await text(incoming))).toBe('/acme/lab')
  })
})
