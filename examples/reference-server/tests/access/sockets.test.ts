import { emulationSockets } from '@trivium/emulation-core/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from '../server-process.ts'
import { upgradeAt } from './upgrade-at.ts'

const absentId = '00000000-0000-4000-8000-000000000000'

const declared = Object.values(emulationSockets).map(({ path }) => path.replaceAll(/\{\w+\}/g, absentId))
const paths = declared.flatMap((path) => [path, path.replace('/v1', '')])

describe.each(['fastify', 'express', 'fetch'] as const)('the server over %s', (transport) => {
  let server: ServerProcess
  let key: string

  beforeAll(async () => {
    server = await startServer({ transport })
    key = await createKey(server)
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  const upgrade = (path: string, headers: Parameters<typeof upgradeAt>[2]) => upgradeAt(server.url, path, headers)

  describe.each(paths)('at the socket %s', (path) => {
    it.each([
      ['without credentials', () => ({})],
      ['with a wrong password', () => ({ authorization: 'Bearer wrong' })],
      ['with an API key', () => ({ authorization: `Bearer ${key}` })],
      ['with a right header before a wrong one', () => ({ authorization: [server.admin, 'Bearer x'] })],
      ['from another page of loopback', () => ({ authorization: server.admin, origin: 'http://localhost:3000' })],
    ])('refuses an upgrade %s', async (_, headers) => {
      // After wrong passwords from an address, right ones are refused there for a while.
      expect([401, 429]).toContain(await upgradeAt(server.url, path, headers(), '127.0.0.2'))
    })

    it('refuses an upgrade with an unknown ticket', async () => {
      for (const ticket of ['x', '', 'a'.repeat(128)]) expect(await upgrade(`${path}?ticket=${ticket}`, {})).toBe(401)
    })

    it.each([
      { origin: 'https://evil.example' },
      { host: 'evil.example' },
    ])('refuses the admin with %j', async (headers) => {
      expect(await upgrade(path, { authorization: server.admin, ...headers })).toBe(403)
    })

    it('answers the admin', async () => {
      expect(await upgrade(path, { authorization: server.admin, origin: server.url })).toBe(404)
    })
  })
})
