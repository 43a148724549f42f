import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawClient } from '../abuse/raw-clients.ts'
import { selfSigned } from '../abuse/self-signed.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { type MountedRoute, mountedRoutes } from './mounted-routes.ts'
import type { PlainResponse } from './send.ts'
import { type Headers, unexpectedAnswers } from './try-routes.ts'

/** Returns whether an answer has the headers of every answer, of a route, of the server and of Node. */
const hasHeaders = ({ headers }: Pick<PlainResponse, 'headers'>): boolean =>
  headers['x-content-type-options'] === 'nosniff' &&
  String(headers['content-security-policy']).includes("frame-ancestors 'none'")

const unroutedPaths: readonly MountedRoute[] = [
  '/',
  '/nothing/here',
  '/v1/nothing',
  '/api/nothing',
  '/console/nothing.js',
].map((template) => ({ method: 'GET', template, access: 'open', errorShape: 'pages' }))

const absentId = '00000000-0000-4000-8000-000000000000'
const upgradeTo = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${more}\r\n`
const handshake = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

describe.each(['fastify', 'express', 'fetch'] as const)('the server over %s', (transport) => {
  let server: ServerProcess
  let routes: readonly MountedRoute[]

  beforeAll(async () => {
    server = await startServer({ transport })
    routes = [...(await mountedRoutes(server.url)), ...unroutedPaths]
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it.each<readonly [string, () => Headers]>([
    ['an answer to the admin', () => ({ authorization: server.admin })],
    ['a refusal', () => ({})],
    ['a refusal of a foreign Host', () => ({ host: 'evil.example' })],
  ])('adds the security headers to %s of every route', async (_, headers) => {
    const tried = { origin: server.url, routes, headers: headers(), headersOnly: true }
    expect(await unexpectedAnswers({ ...tried, access: ['open', 'key', 'admin'], isRight: hasHeaders })).toEqual([])
  })

  it('adds the security headers to answers to other methods', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'PROPFIND']) {
      const others = routes.map((route) => ({ ...route, method }))
      const tried = { origin: server.url, routes: others, headers: { authorization: server.admin } }
      expect(await unexpectedAnswers({ ...tried, access: ['open', 'key', 'admin'], isRight: hasHeaders })).toEqual([])
    }
  })

  it.each([
    ['a path with dots', 'GET /v1/../health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n'],
    ['a path that cannot be decoded', 'GET /v1/%zz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n'],
    ['a request without a host', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['an upgrade without a host', upgradeTo('/nothing', handshake).replace('host: 127.0.0.1\r\n', '')],
    ['bytes that are not HTTP', 'hello\r\n\r\n'],
    ['two lengths', 'POST /search HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    ['a head that is too large', `GET / HTTP/1.1\r\nhost: a\r\nx-a: ${'b'.repeat(2 ** 17)}\r\n\r\n`],
    [
      'an unknown expectation',
      'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: wonders\r\nconnection: close\r\n\r\n',
    ],
    ['an upgrade at a path without a route', upgradeTo('/nothing', handshake)],
    [
      'an upgrade without credentials',
      upgradeTo(`/v1/projects/${absentId}/emu3/vms/${absentId}/console/ws`, handshake),
    ],
    ['an upgrade without a WebSocket handshake', upgradeTo(`/v1/projects/${absentId}/emu3/vms/${absentId}/console/ws`)],
    [
      'an upgrade from a foreign Origin',
      upgradeTo(
        `/v1/projects/${absentId}/emu3/vms/${absentId}/console/ws`,
        `${handshake}origin: http://evil.example\r\n`,
      ),
    ],
  ])('adds the security headers to a refusal of %s', async (_, bytes) => {
    const client = await rawClient(server, bytes)
    await client.closed
    const [head = ''] = client.received().split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
    expect(head.toLowerCase()).toContain("content-security-policy: frame-ancestors 'none'")
    expect(head.toLowerCase()).not.toContain('strict-transport-security')
  })
})

it.each([
  'fastify',
  'express',
  'fetch',
] as const)('adds strict-transport-security to answers and refusals over %s where the server itself terminates TLS', async (transport) => {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-headers-'))
  await using server = await startServer({
    transport,
    args: await selfSigned(directory),
    environment: { TRIVIUM_SERVICES: 'gateway' },
  })
  const heads = ['/health', '/nothing', '/v1/models', '/console/', '/v1/%zz', '/v1/../health'].map(
    (path) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`,
  )
  for (const head of [...heads, 'hello\r\n\r\n', upgradeTo('/nothing', handshake)]) {
    const client = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', rejectUnauthorized: false })
    client.write(head)
    const answer = await text(client)
    expect(answer, head).toContain('HTTP/1.1 ')
    expect(answer.toLowerCase(), head).toContain('strict-transport-security: max-age=31536000')
    expect(answer.toLowerCase(), head).toContain('x-content-type-options: nosniff')
  }
  rmSync(directory, { recursive: true, force: true })
})
