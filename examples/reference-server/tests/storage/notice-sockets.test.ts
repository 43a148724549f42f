import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '@trivium/sql-repositories'
import { sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { canMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { upgradeAt } from '../access/upgrade-at.ts'
import { asRecord } from '../emulation/lab.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { workersOf } from '../workers/workers-of.ts'
import { storageClient } from './storage-client.ts'

const run = promisify(execFile)
const path = '/api/support/events/ws'

/** Publishes notices in the store of a server, as another process of its host. */
async function publish(server: ServerProcess, ...ids: readonly string[]): Promise<void> {
  const database = await openDatabase(`sqlite:${server.dataDirectory}/trivium.sqlite`)
  const { notices } = sqlStorageRepositories(database)
  for (const id of ids) await notices.publish({ id, kind: 'split-done', at: new Date() }, new Date())
  await database.close()
}

async function follow({ url, admin }: Pick<ServerProcess, 'url' | 'admin'>, query = '') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}${query}`, { headers: { authorization: admin } })
  const records: Readonly<Record<string, unknown>>[] = []
  socket.on('message', (data) => records.push(asRecord(JSON.parse(String(data)))))
  await once(socket, 'open')
  return {
    socket,
    async received(count: number) {
      while (records.length < count) await once(socket, 'message')
      return records
    },
  }
}

describe.each([
  ['fastify', []],
  ['express', []],
  ['fetch', []],
  ['fastify', ['--workers', '2']],
] as const)('the socket of the notices over %s %j', (transport, args) => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ transport, args })
  }, 120_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it('sends what another process publishes, and continues after the last notice of a socket that was cut off', async () => {
    const first = await follow(server)
    await publish(server, `${transport}-1`)
    const [one] = await first.received(1)
    expect(one).toMatchObject({ id: `${transport}-1`, type: 'split.done', index: expect.any(Number) })
    first.socket.terminate()
    await publish(server, `${transport}-2`, `${transport}-3`)
    const second = await follow(server, `?after=${one?.index}`)
    await publish(server, `${transport}-4`)
    const { records } = await storageClient(server).list('/support/events?fields=*')
    expect(await second.received(3)).toEqual(records.slice(1))
    second.socket.terminate()
  })

  it('answers everyone but the admin with 401, and pages of other origins with 403 or 401', async () => {
    const { admin } = server
    const status = (query: string, headers: Readonly<Record<string, string>>) =>
      upgradeAt(server.url, `${path}${query}`, headers, '127.0.0.2')
    expect(await status('', {})).toBe(401)
    expect(await status('', { authorization: 'Bearer wrong' })).toBe(401)
    expect(await upgradeAt(server.url, path, { authorization: admin, origin: 'https://evil.example' })).toBe(403)
    expect(await upgradeAt(server.url, path, { authorization: admin, origin: 'http://localhost:1' })).toBe(401)
    expect(await upgradeAt(server.url, `${path}?after=x`, { authorization: admin })).toBe(400)
    expect(await upgradeAt(server.url, path, { authorization: admin, origin: server.url })).toBe(101)
    expect((await server.ask(path)).status).toBe(404)
  })

  it('closes with 1001 when the server stops', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => follow(server)))
    const closed = Promise.all(clients.map(async ({ socket }) => (await once(socket, 'close'))[0]))
    if (args.length > 0) expect(workersOf(server)).toHaveLength(2)
    expect(await server.stop()).toBe(0)
    expect(await closed).toEqual([1001, 1001, 1001])
  })
})

describe.skipIf(!(await canMount('btrfs')))('a soft limit on btrfs', () => {
  it('sends a notice when it is exceeded, at the socket of its server and of another one over the same database', async () => {
    const mount = await mountLoop('btrfs', 256)
    try {
      await using server = await startServer({ environment: { TRIVIUM_VOLUMES: `vol1=${mount.directory}` } })
      await using other = await startServer({
        environment: {
          DATABASE_URL: `sqlite:${server.dataDirectory}/trivium.sqlite`,
          TRIVIUM_SERVICES: 'storage',
          TRIVIUM_VOLUMES: 'vol2=simulated',
        },
      })
      const client = storageClient(server)
      const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
      const clients = [await follow(server), await follow(other)]
      await client.call('POST', '/storage/qtrees?return_timeout=30', { ...on, name: 'qt1' })
      const target = `of=${join(mount.directory, 'qt1/data')}`
      await run('dd', ['if=/dev/urandom', target, 'bs=1M', 'count=20', 'conv=fsync'])
      const space = { soft_limit: '10M', hard_limit: '100M' }
      const rule = { ...on, type: 'tree', qtree: { name: 'qt1' }, space }
      await client.call('POST', '/storage/quota/rules?return_timeout=30', rule)
      await client.setQuota(await client.volume('vol1'), true)
      for (const { received, socket } of clients) {
        expect(await received(1)).toMatchObject([
          {
            type: 'quota.soft_limit_exceeded',
            limit: 'space.soft_limit',
            volume: { name: 'vol1' },
            allowed: 10 * 2 ** 20,
          },
        ])
        socket.terminate()
      }
    } finally {
      await mount.unmount()
    }
  }, 180_000)
})
