import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '@trivium/sql-repositories'
import { sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { expect, it, onTestFinished } from 'vitest'
import { openReceiver, status } from '../../../../packages/storage-core/tests/receiver.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { storageClient } from './storage-client.ts'

const NOTICES = 30

/** Publishes notices in the store of a server, as another process of its host. */
async function publish(server: ServerProcess, first: number, last: number): Promise<void> {
  const database = await openDatabase(`sqlite:${server.dataDirectory}/trivium.sqlite`)
  const { notices } = sqlStorageRepositories(database)
  for (let number = first; number <= last; number += 1) {
    await notices.publish({ id: `n${number}`, kind: 'split-done', at: new Date() }, new Date())
  }
  await database.close()
}

it('delivers every notice in order after kills in the middle of a delivery', async () => {
  const receiver = await openReceiver()
  let server = await startServer()
  onTestFinished(async () => server[Symbol.asyncDispose]())
  const { records } = await storageClient(server).call('POST', '/support/webhooks', { url: receiver.url })
  const [webhook] = Array.isArray(records) ? records : []
  const accepted: string[] = []
  let requests = 0
  receiver.answerWith((response, request) => {
    requests += 1
    // Every fifth request is accepted, and the server is killed before it gets the answer.
    if (requests % 5 === 0) {
      accepted.push(request.id)
      void server.kill()
      return
    }
    accepted.push(request.id)
    response.writeHead(204).end()
  })
  await publish(server, 1, NOTICES / 2)
  for (let kills = 0; kills < 2; kills += 1) {
    await receiver.arrived(5 * (kills + 1))
    while (server.process.signalCode === null) await wait(5)
    server = await server.restart()
    if (kills === 0) await publish(server, NOTICES / 2 + 1, NOTICES)
  }
  receiver.answerWith((response, request) => {
    accepted.push(request.id)
    status(204)(response, request)
  })
  const expected = Array.from({ length: NOTICES }, (_, index) => `n${index + 1}`)
  while (new Set(accepted).size < NOTICES) await wait(20)
  // An id that came twice has the same effect as once, and is the one at which the server was killed.
  expect([...new Set(accepted)]).toEqual(expected)
  expect(accepted.length).toBeLessThanOrEqual(NOTICES + 2)
  const path = `/support/webhooks/${webhook.uuid}/deliveries`
  while ((await storageClient(server).list(path)).num_records > 0) await wait(20)
  expect(server.output()).not.toContain('whsec_')
}, 180_000)
