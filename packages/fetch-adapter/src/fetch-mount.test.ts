import { defineContract, type Failures, implement } from '@trivium/http-contract'
import { Hono } from 'hono'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { type FetchPeer, fetchHandler } from './index.ts'

const empty = (status: number) => ({ kind: 'empty', status, headers: {} }) as const

const failures: Failures = {
  malformed: () => empty(400),
  invalid: () => empty(422),
  tooLarge: () => empty(413),
  methodNotAllowed: () => empty(405),
  unexpected: () => empty(500),
  interrupted: () => undefined,
}

const contract = defineContract({ place: { method: 'GET', path: '/place', responses: { 200: v.unknown() } } })

const routes = implement(
  contract,
  { place: ({ mount }) => ({ status: 200, body: `${mount.origin}${mount.path}` }) },
  { failures },
)

const handle = fetchHandler(routes, { prefix: '/ai' })

const forwarded = {
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'public.example',
  'x-forwarded-prefix': '/stripped',
}

const ask = async (peer: FetchPeer, headers: Readonly<Record<string, string>> = {}) =>
  (await handle(new Request('http://inner:8787/ai/place', { headers }), peer))?.json()

describe('fetchHandler', () => {
  it('reports the address of the request', async () => {
    expect(await ask({})).toBe('http://inner:8787/ai')
    expect(await ask({}, forwarded)).toBe('http://inner:8787/ai')
  })

  it.each([
    'inner:8787, evil.example',
    'user@inner:8787',
    'inner:8787/x',
    'inner:8787?x',
  ])('reports `localhost` for the host header %j', async (host) => {
    expect(await ask({}, { host })).toBe('http://localhost/ai')
  })

  it('takes the address from a proxy that the host trusts', async () => {
    expect(await ask({ isFromProxy: true }, forwarded)).toBe('https://public.example/stripped/ai')
    expect(await ask({ isFromProxy: true })).toBe('http://inner:8787/ai')
  })

  it('takes the origin from the host', async () => {
    const origin = 'https://public.example:8443'
    expect(await ask({ origin })).toBe(`${origin}/ai`)
    expect(await ask({ origin }, forwarded)).toBe(`${origin}/ai`)
    expect(await ask({ origin, isFromProxy: true }, forwarded)).toBe(`${origin}/stripped/ai`)
    expect(await ask({ origin: 'null' })).toBe('http://localhost/ai')
  })

  it('reports the whole path below `basePath` and `route` of Hono', async () => {
    const deep = fetchHandler(routes, { prefix: '/a/b/c' })
    const inner = new Hono().all('/c/*', async (context) => (await deep(context.req.raw)) ?? context.notFound())
    const host = new Hono().basePath('/a').route('/b', inner)
    expect(await (await host.request('http://inner/a/b/c/place')).json()).toBe('http://inner/a/b/c')
  })

  it('reports a path that the framework has removed', async () => {
    const bare = fetchHandler(routes)
    const host = new Hono().mount('/ai', async (request: Request) => {
      return (await bare(request, { basePath: '/ai' })) ?? new Response(null, { status: 404 })
    })
    expect(await (await host.request('http://inner/ai/place')).json()).toBe('http://inner/ai')
  })
})
