import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { Exchange, Mount } from './exchange.ts'
import type { Failures } from './failures.ts'
import { type ImplementOptions, implement } from './implement.ts'
import { implementSockets } from './implement-sockets.ts'
import { defineContract } from './operation.ts'
import { defineSockets } from './socket.ts'

const empty = (status: number) => ({ kind: 'empty', status, headers: {} }) as const

const failures: Failures = {
  malformed: () => empty(400),
  invalid: () => empty(400),
  tooLarge: () => empty(413),
  methodNotAllowed: () => empty(405),
  unexpected: () => empty(500),
  interrupted: () => undefined,
}

const contract = defineContract({
  find: { method: 'POST', path: '/place', body: v.unknown(), responses: { 200: v.unknown() } },
})

const at = (path: string): Mount => ({ origin: 'http://inner:8787', path })

const exchange = (mount: Mount): Exchange => ({
  method: 'POST',
  params: { id: 'a' },
  query: 'q=1',
  headers: { 'x-a': 'b' },
  body: () => ({ kind: 'parsed', value: 'text' }),
  remoteAddress: '192.0.2.1',
  host: 'the request of the host',
  mount,
  signal: new AbortController().signal,
  closing: new AbortController().signal,
})

function routeWith(options: Partial<ImplementOptions<undefined>>) {
  const [route] = implement(
    contract,
    {
      find: ({ mount: { origin, path }, body, rawQuery, rawHeaders }) => ({
        status: 200,
        body: [origin, path, body, rawQuery, rawHeaders['x-a']],
      }),
    },
    { failures, ...options },
  )
  if (!route) throw new Error('there is no route')
  return route
}

describe('implement', () => {
  it('passes the address of the mount to the handler', async () => {
    expect(await routeWith({}).handle(exchange(at('/ai')))).toMatchObject({
      value: ['http://inner:8787', '/ai', 'text', 'q=1', 'b'],
    })
  })

  it('replaces the address of the mount by `publicUrl`, and leaves the rest of the request', async () => {
    const seen: unknown[] = []
    const route = routeWith({
      publicUrl: 'https://public.example/p/',
      admit: ({ mount, host, remoteAddress, method, params, signal }) => {
        seen.push(mount, host, remoteAddress, method, params, signal.aborted)
        return { caller: undefined }
      },
    })
    expect(await route.handle(exchange(at('/ai')))).toMatchObject({
      value: ['https://public.example', '/p', 'text', 'q=1', 'b'],
    })
    expect(seen).toEqual([
      { origin: 'https://public.example', path: '/p' },
      'the request of the host',
      '192.0.2.1',
      'POST',
      { id: 'a' },
      false,
    ])
  })

  it('makes the headers of an operation again only for another path of the mount', async () => {
    const calls: string[] = []
    const route = routeWith({
      headers: ({ path }, mountPath) => {
        calls.push(mountPath)
        return { 'x-route': `${mountPath}${path}` }
      },
    })
    const routes: unknown[] = []
    for (const path of ['', '', '/ai', '/ai']) routes.push((await route.handle(exchange(at(path)))).headers['x-route'])
    expect(routes).toEqual(['/place', '/place', '/ai/place', '/ai/place'])
    expect(calls).toEqual(['', '/ai'])
  })

  it('passes `publicUrl` to the headers of refused methods, of OPTIONS and of replies that cannot be written', () => {
    const route = routeWith({
      publicUrl: 'https://public.example/p',
      headers: (_, mountPath) => ({ 'x-route': mountPath }),
    })
    const replies = [
      route.refuseMethod('GET', 'POST', at('/ai')),
      route.describe('POST', at('/ai')),
      route.fail(new Error('x'), at('/ai')),
    ]
    expect(replies.map(({ headers }) => headers['x-route'])).toEqual(['/p', '/p', '/p'])
  })

  it('refuses a `publicUrl` that is not a URL', () => {
    expect(() => routeWith({ publicUrl: 'public.example' })).toThrow(TypeError)
  })
})

describe('implementSockets', () => {
  it('replaces the address of the mount by `publicUrl`', async () => {
    const [route] = implementSockets(
      defineSockets({ find: { path: '/place' } }),
      { find: () => ({ reply: empty(403) }) },
      {
        failures: { invalid: () => empty(400), unexpected: () => empty(500) },
        publicUrl: 'https://public.example/p',
        headers: ({ path }, mountPath) => ({ 'x-route': `${mountPath}${path}` }),
      },
    )
    expect(await route?.accept(exchange(at('/ai')))).toMatchObject({ reply: { headers: { 'x-route': '/p/place' } } })
  })
})
