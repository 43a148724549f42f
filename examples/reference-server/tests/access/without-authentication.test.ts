import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { createKey, type ServerProcess, startServer } from '../server-process.ts'
import { type PlainRequest, send } from './send.ts'
import { upgradeAt } from './upgrade-at.ts'

/** One path of each service and page that is the admin's. */
const paths = ['/v1/projects', '/api/cluster', '/v1/auth/keys', '/v1/models', '/metrics', '/console/api/host']

const off = { TRIVIUM_AUTH: 'off' }

describe.each([
  ['fastify', '1'],
  ['express', '1'],
  ['fetch', '1'],
  ['fastify', '2'],
] as const)('a server without authentication on %s with %s process(es)', (transport, workers) => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ transport, args: ['--workers', workers], environment: off })
  })
  afterAll(() => server.stop())

  const ask = (request: PlainRequest) => send(server.url, request)
  const port = () => new URL(server.url).port

  it('warns of it at the start', () => {
    expect(server.output()).toContain('Warning: TRIVIUM_AUTH is off. Every user and program of this machine')
  })

  it('makes each request without credentials the admin', async () => {
    for (const path of paths) expect((await ask({ method: 'GET', path })).status, path).toBe(200)
    const made = await ask({ method: 'POST', path: '/v1/projects', body: '{}' })
    expect(made.status).toBe(201)
  })

  it('checks the credentials that a request presents', async () => {
    const authorizations = [
      [`Basic ${btoa('admin:wrong')}`, 401],
      ['Bearer wrong', 401],
      [server.admin, 200],
    ] as const
    for (const [authorization, status] of authorizations) {
      const answer = await ask({ method: 'GET', path: '/v1/projects', headers: { authorization } })
      expect(answer.status, authorization).toBe(status)
    }
    const key = await createKey(server)
    const asKey = await ask({ method: 'GET', path: '/v1/auth/keys', headers: { authorization: `Bearer ${key}` } })
    expect(asKey.status).toBe(403)
    expect((await ask({ method: 'GET', path: '/v1/models', headers: { 'x-api-key': key } })).status).toBe(200)
  })

  /** What browsers send for a page of another origin, also of one at another port of this machine. */
  const foreign = () => [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'same-site' },
    { host: `rebound.example:${port()}` },
    { host: `rebound.example:${port()}`, origin: `http://rebound.example:${port()}`, 'sec-fetch-site': 'same-origin' },
  ]

  it('lets no page of another origin act or read', async () => {
    const before = (await ask({ method: 'GET', path: '/v1/projects' })).text
    for (const headers of foreign()) {
      for (const path of paths) {
        const { status } = await ask({ method: 'GET', path, headers })
        expect([401, 403], `${path} ${JSON.stringify(headers)}`).toContain(status)
      }
      for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded', undefined]) {
        const sent = { ...headers, ...(type !== undefined && { 'content-type': type }) }
        const { status } = await ask({ method: 'POST', path: '/v1/projects', headers: sent, body: '{}' })
        expect([401, 403], JSON.stringify(sent)).toContain(status)
      }
    }
    expect((await ask({ method: 'GET', path: '/v1/projects' })).text).toBe(before)
  })

  it('needs credentials in requests that passed a proxy', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
      const answer = await ask({ method: 'GET', path: '/v1/projects', headers: { [name]: '192.0.2.1' } })
      expect(answer.status, name).toBe(401)
    }
  })

  it('serves a page of its own origin', async () => {
    const headers = { origin: server.url, 'sec-fetch-site': 'same-origin' }
    expect((await ask({ method: 'POST', path: '/v1/projects', headers, body: '{}' })).status).toBe(201)
  })

  it('opens consoles over WebSocket, and none to a page of another origin', async () => {
    const project = JSON.parse((await ask({ method: 'POST', path: '/v1/projects' })).text).project_id
    const pcs = `/v1/projects/${project}/emu3/vms`
    const { vm_id: pc } = JSON.parse((await ask({ method: 'POST', path: pcs, body: '{"name":"PC1"}' })).text)
    expect((await ask({ method: 'POST', path: `${pcs}/${pc}/start` })).status).toBe(204)
    const path = `${pcs}/${pc}/console/ws`
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`)
    await once(socket, 'open')
    socket.close()
    for (const headers of foreign()) {
      expect([401, 403], JSON.stringify(headers)).toContain(await upgradeAt(server.url, path, headers))
    }
  })
})

describe('a start without authentication', () => {
  const sentence =
    'TRIVIUM_AUTH=off makes every caller the admin, so it needs a loopback address as --host, such as 127.0.0.1, and no TRIVIUM_TRUST_PROXY.'

  it.each(['0.0.0.0', '::', '192.0.2.1', 'lab.example', '127.0.0.1.example'])('fails at %s', async (host) => {
    const start = startServer({ args: ['--host', host], environment: off })
    await expect(start).rejects.toThrow(sentence)
  })

  it('fails with a trusted proxy', async () => {
    const start = startServer({ environment: { ...off, TRIVIUM_TRUST_PROXY: '127.0.0.1' } })
    await expect(start).rejects.toThrow(sentence)
  })

  it('follows the file of --config, and fails where that has another address', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'trivium-auth-')), 'trivium.yaml')
    writeFileSync(file, 'trivium_auth: off\n')
    await using server = await startServer({ args: ['--config', file] })
    expect((await send(server.url, { method: 'GET', path: '/v1/projects' })).status).toBe(200)
    writeFileSync(file, 'trivium_auth: off\nhost: 0.0.0.0\n')
    await expect(startServer({ args: ['--config', file] })).rejects.toThrow(sentence)
  })
})

it('refuses requests without credentials by default', async () => {
  await using server = await startServer()
  for (const path of paths) expect((await send(server.url, { method: 'GET', path })).status, path).toBe(401)
  expect(server.output()).not.toContain('TRIVIUM_AUTH')
})
