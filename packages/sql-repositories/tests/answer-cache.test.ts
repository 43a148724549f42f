import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway, type Gateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import type { AnswerCache } from '@trivium/gateway-core/ports'
import { localProvider } from '@trivium/local-provider'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { sharedDatabases } from './test-databases.ts'

const body = JSON.stringify({ model: 'local/echo-no-llm', messages: [{ role: 'user', content: 'Grüße 🌍\u0000' }] })

async function ask(gateway: Gateway, secret: string) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const request = new Request('http://gateway.test/v1/chat/completions', { method: 'POST', headers, body })
  const response = await fetchHandler(gatewayRoutes(gateway))(request)
  return { cache: response?.headers.get('x-trivium-cache'), answer: await response?.text() }
}

describe.each(sharedDatabases)('the answer cache over HTTP on $name', (kind) => {
  it('answers from what another replica has stored, until one empties it', { timeout: 60_000 }, async () => {
    const fresh = await kind.create()
    onTestFinished(() => fresh.remove())
    const replica = async () => {
      const database = await fresh.open()
      await migrateGateway(database)
      const { answerCache: stored, ...repositories } = sqlGatewayRepositories(database)
      if (stored === undefined) throw new Error('There is no cache')
      const saved = Promise.withResolvers<void>()
      const answerCache: AnswerCache = {
        find: (...args) => stored.find(...args),
        save: async (...args) => {
          await stored.save(...args)
          saved.resolve()
        },
        clear: () => stored.clear(),
        removeExpired: (...args) => stored.removeExpired(...args),
      }
      const gateway = createGateway({
        repositories: { ...repositories, answerCache },
        providers: [localProvider()],
        answerCache: {},
      })
      onTestFinished(() => gateway.close())
      return { gateway, saved: saved.promise }
    }
    const [{ gateway: one, saved }, { gateway: other }] = [await replica(), await replica()]
    const { secret } = (await one.apiKeys.generate({ username: 'ada', rateLimit: 1_000 }))._unsafeUnwrap()
    const first = await ask(one, secret)
    expect(first.cache).toBe('miss')
    // A miss of the other replica would replace the answer.
    await saved
    expect(await ask(other, secret)).toEqual({ ...first, cache: 'hit' })
    expect(await other.answerCache.clear()).toBe(1)
    expect((await ask(one, secret)).cache).toBe('miss')
  })
})

it('a gateway caches answers in the database that it opens itself', async () => {
  const gateway = createGateway({ database: 'sqlite::memory:', providers: [localProvider()], answerCache: {} })
  onTestFinished(() => gateway.close())
  await gateway.start()
  const { secret } = (await gateway.apiKeys.generate({ username: 'ada' }))._unsafeUnwrap()
  await ask(gateway, secret)
  await expect.poll(async () => (await ask(gateway, secret)).cache).toBe('hit')
})
