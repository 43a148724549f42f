import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createStorage } from '@trivium/storage-core'
import { expect, it, onTestFinished } from 'vitest'
import { migrateStorage } from '../src/storage/migrate-storage.ts'
import { sqlStorageRepositories } from '../src/storage/sql-storage-repositories.ts'
import { sharedDatabases } from './test-databases.ts'

const NOTICES = 40
const RECEIVERS = 3

/** Opens a receiver, which is closed at the end of the test. */
async function openReceiver(answer: (response: ServerResponse) => void) {
  const ids: string[] = []
  const { promise: complete, resolve } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']))
    if (ids.length === NOTICES) resolve()
    request.resume()
    answer(response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // a server on TCP
  return { url: `http://127.0.0.1:${port}/`, ids, complete }
}

it.each(sharedDatabases)('delivers each notice once, in order and one at a time from two processes on $name', async ({
  create,
}) => {
  const fresh = await create()
  onTestFinished(() => fresh.remove())
  const faults: unknown[] = []
  const replicas = await Promise.all(
    [1, 2].map(async () => {
      const database = await fresh.open()
      await migrateStorage(database)
      const repositories = sqlStorageRepositories(database)
      const storage = createStorage({ repositories, lookSeconds: 0.02, onFault: (fault) => faults.push(fault) })
      await storage.start()
      return storage
    }),
  )
  onTestFinished(async () => {
    for (const storage of replicas) await storage.close()
  })
  let open = 0
  let most = 0
  const receivers = await Promise.all(
    Array.from({ length: RECEIVERS }, (_, index) =>
      openReceiver((response) => {
        if (index > 0) return void response.writeHead(204).end()
        open += 1
        most = Math.max(most, open)
        // The answer is late by a turn, so that a second request would be seen.
        setImmediate(() => {
          open -= 1
          response.writeHead(204).end()
        })
      }),
    ),
  )
  const [first, second] = replicas
  if (!first || !second) throw new Error('Nothing was opened')
  for (const { url } of receivers) (await first.webhooks.create({ url }))._unsafeUnwrap()
  for (let number = 0; number < NOTICES; number += 1) {
    const notice = { id: `n${number}`, kind: 'split-done', at: new Date() } as const
    // Both publish the same occurrence.
    await Promise.all([first, second].map((storage) => storage.notices.publish(notice)))
  }
  await Promise.all(receivers.map(({ complete }) => complete))
  for (const storage of replicas) await storage.close()
  const expected = Array.from({ length: NOTICES }, (_, number) => `n${number}`)
  for (const { ids } of receivers) expect(ids).toEqual(expected)
  expect(most).toBe(1)
  expect(faults).toEqual([])
}, 60_000)
