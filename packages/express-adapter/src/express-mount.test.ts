import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { defineContract, type Failures, implement } from '@trivium/http-contract'
import express, { type Express, Router } from 'express'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { expressRoutes } from './index.ts'

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

const place = () =>
  expressRoutes(
    implement(
      contract,
      { place: ({ mount }) => ({ status: 200, body: `${mount.origin}${mount.path}` }) },
      { failures },
    ),
  )

const cleanups: (() => void)[] = []

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function ask(application: Express, path: string, headers: Readonly<Record<string, string>> = {}) {
  const server = application.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  const answer: string = await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).json()
  return answer.replace(`:${port}`, ':PORT')
}

const forwarded = {
  'x-forwarded-for': '192.0.2.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'public.example',
  'x-forwarded-prefix': '/stripped',
}

describe('expressRoutes', () => {
  it.each([
    ['/place', 'http://127.0.0.1:PORT'],
    ['/ai/place', 'http://127.0.0.1:PORT/ai'],
    ['/deep/er/place', 'http://127.0.0.1:PORT/deep/er'],
    ['/of/acme%20inc/ai/place?x=/place', 'http://127.0.0.1:PORT/of/acme%20inc/ai'],
    ['/rewritten/place', 'http://127.0.0.1:PORT/rewritten'],
    ['/x/ai/place', 'http://127.0.0.1:PORT/x/ai'],
    ['//evil.example/ai/place', 'http://127.0.0.1:PORT/evil.example/ai'],
  ])('reports the mount of %s', async (path, mount) => {
    const application = express()
      .use((request, _response, next) => {
        request.url = request.url.replace(/^\/rewritten/, '/ai')
        next()
      })
      .use('/ai', place())
      .use('/deep', Router().use('/er', place()))
      .use('/of/:tenant', Router({ mergeParams: true }).use('/ai', place()))
      .use('/*any/ai', place())
      .use(place())
    expect(await ask(application, path)).toBe(mount)
  })

  it('takes the address from a proxy that the host trusts', async () => {
    const application = () => express().set('trust proxy', 'loopback').use('/ai', place())
    expect(await ask(application(), '/ai/place', forwarded)).toBe('https://public.example/stripped/ai')
    expect(await ask(application(), '/ai/place')).toBe('http://127.0.0.1:PORT/ai')
  })

  it('ignores the headers of a proxy that the host does not trust', async () => {
    for (const trusted of [false, '10.0.0.0/8']) {
      const application = express().set('trust proxy', trusted).use('/ai', place())
      expect(await ask(application, '/ai/place', forwarded)).toBe('http://127.0.0.1:PORT/ai')
    }
  })
})
