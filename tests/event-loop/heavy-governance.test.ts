import { fetchHandler } from '@trivium/fetch-adapter'
import { type ApiKeyId, createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import type { Provider } from '@trivium/gateway-core/ports'
import { adminCheck } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longestBlockMs } from './longest-block.ts'

/** The limit that `docs/security.md` promises. */
const MAX_BLOCK_MS = 100
const ADMIN = `Basic ${btoa('admin:secret')}`
const MODELS = 1_000
const KEYS = 300

/** Many models with long names. */
const provider: Provider = {
  ...localProvider({ id: 'up' }),
  models: async () =>
    Array.from({ length: MODELS }, (_, index) => ({
      id: `${'a'.repeat(60)}${index}`,
      kind: 'chat' as const,
      ownedBy: 'x',
      created: 0,
    })),
}

const patterns = (text: string) => Array.from({ length: 200 }, (_, index) => `${text}${index}`)
/** As a store has it from before the bounds of stars and bytes. */
const unbounded = { models: [...patterns('*'.repeat(250)).slice(1), '*'], deniedModels: patterns('*a'.repeat(110)) }
const wide = { models: patterns('€'.repeat(250)), deniedModels: patterns('€'.repeat(250)) }
const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, '€'.repeat(512)]))

describe.each([
  { store: 'memory', open: async () => ({ repositories: memoryGatewayRepositories(), close: async () => {} }) },
  {
    store: 'SQLite',
    open: async () => {
      const database = await openDatabase('memory:')
      await migrateGateway(database)
      return { repositories: sqlGatewayRepositories(database), close: () => database.close() }
    },
  },
])('the gateway with a store in $store', ({ open }) => {
  let close: () => Promise<void>
  let handle: ReturnType<typeof fetchHandler>
  let secret: string

  beforeAll(async () => {
    const { repositories, close: closeStore } = await open()
    const gateway = createGateway({ providers: [provider], repositories, apiKeys: { cacheSeconds: 0 } })
    close = async () => {
      await gateway.close()
      await closeStore()
    }
    handle = fetchHandler(gatewayRoutes(gateway, { admin: adminCheck('secret') }))
    const team = (await gateway.groups.create({ kind: 'team', name: 'red' }))._unsafeUnwrap()
    const user = (await gateway.groups.create({ kind: 'user', name: 'ada' }))._unsafeUnwrap()
    await repositories.groups?.change('team', team.id, { policy: unbounded })
    await repositories.groups?.change('user', user.id, { policy: unbounded })
    const issued = await gateway.apiKeys.generate({ username: 'ada', teamId: team.id, rateLimit: 10_000 })
    const { key } = issued._unsafeUnwrap()
    secret = issued._unsafeUnwrap().secret
    await repositories.apiKeys.change(key.id, { policy: unbounded })
    for (let index = 0; index < KEYS; index += 1) {
      const id = `key-${index}` as ApiKeyId // as a host may create ids
      await repositories.apiKeys.add({ ...key, id, hash: `${index}` as typeof key.hash, policy: wide, metadata })
    }
  })
  afterAll(() => close())

  it.each([
    ['a list of models with many patterns', () => '/v1/models', () => secret],
    ['a model with many patterns', () => `/v1/models/${encodeURIComponent('a/'.repeat(250))}`, () => secret],
    ['a list of large keys', () => '/v1/auth/keys?limit=1000', () => ADMIN],
  ])('blocks the event loop for less than 100 ms of CPU time for %s', async (name, path, credentials) => {
    const authorization = credentials().includes(' ') ? credentials() : `Bearer ${credentials()}`
    let least = Number.POSITIVE_INFINITY
    // Other processes and the compiler add to a single result.
    for (let round = 0; round < 3; round += 1) {
      const block = await longestBlockMs(async () => {
        const answer = await handle(new Request(`http://127.0.0.1${path()}`, { headers: { authorization } }))
        expect([200, 403, 404]).toContain(answer?.status)
        await answer?.arrayBuffer()
      })
      least = Math.min(least, block)
    }
    console.info(`${name}: the longest block of the event loop is ${least.toFixed()} ms`)
    expect(least).toBeLessThan(MAX_BLOCK_MS)
  })
})
