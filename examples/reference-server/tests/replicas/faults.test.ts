import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FaultyProxy,
  faults,
  openFaultyProxy,
  RECOVERY_MS,
  requestContinuously,
} from '../../../../packages/gateway-core/tests/faulty-proxy.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { issueKey, use } from './requests.ts'
import { type SharedStore, sharedStores } from './shared-stores.ts'

/** The variable of a store whose connection fails. */
const variables = { PostgreSQL: 'DATABASE_URL', MariaDB: 'DATABASE_URL', Redis: 'REDIS_URL' } as const
const ports: Readonly<Record<string, number>> = { 'postgres:': 5432, 'mysql:': 3306, 'redis:': 6379 }

const onServers = sharedStores.flatMap((kind) =>
  Object.entries(variables).flatMap(([name, variable]) => (kind.name === name ? [{ ...kind, variable }] : [])),
)

// Vitest fails a file without tests.
if (onServers.length === 0) it.skip('needs PostgreSQL, MariaDB or Redis', () => undefined)

describe.each(onServers)('a server whose connection to $name fails', { timeout: 60_000 }, ({
  name,
  variable,
  create,
}) => {
  let store: SharedStore
  let proxies: readonly [FaultyProxy, FaultyProxy]
  let server: ServerProcess
  let key: string

  beforeAll(async () => {
    store = await create()
    const address = new URL(store.environment[variable] ?? '')
    const target = Number(address.port || ports[address.protocol])
    proxies = [await openFaultyProxy(target), await openFaultyProxy(target)]
    address.port = String(proxies[0].port)
    server = await startServer({ environment: { ...store.environment, [variable]: address.href } })
    key = (await issueKey(server, { rate_limit: 100_000 })).api_key
  }, 90_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    for (const proxy of proxies ?? []) await proxy[Symbol.asyncDispose]()
    await store?.remove()
  })

  it.each(faults)('answers requests with keys again after $name', async ({ name: fault, trigger }) => {
    const asking = requestContinuously(async () => {
      const status = await use(server, key)
      if (status !== 200) throw new Error(`answered with ${status}`)
    })
    try {
      await asking.recovered()
      await trigger(proxies[0], () => asking.failure(), proxies[1].port)
      const took = await asking.recovered()
      console.info(`${name}, ${fault}: requests with keys succeed after ${took.toFixed()} ms`)
      expect(took).toBeLessThan(RECOVERY_MS)
    } finally {
      await asking.stop()
    }
  })
})
