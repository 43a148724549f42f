import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import { openRedis, redisBudgets } from '@trivium/redis-repositories/gateway'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'

/** Four processes and a database start at the same time, perhaps on a busy machine. */
const WAIT_MS = 60_000

/** Opens the store of a test: a database, with the budgets in a Redis where its address is given. */
export async function openSpendingStore(
  url: string,
  redisUrl: string,
): Promise<{ readonly repositories: GatewayRepositories; close(): Promise<void> }> {
  const ofServers = { maxConnections: 6, connectTimeoutMs: WAIT_MS }
  const database = await openDatabase({ url, ...(url.startsWith('sqlite') ? {} : ofServers) })
  await migrateGateway(database)
  const repositories = sqlGatewayRepositories(database)
  const [address, prefix] = redisUrl.split('#')
  if (!address || prefix === undefined) return { repositories, close: () => database.close() }
  const redis = await openRedis({ url: address, commandTimeoutMs: WAIT_MS })
  return {
    repositories: { ...repositories, budgets: redisBudgets(redis, { prefix }) },
    async close() {
      await redis.close()
      await database.close()
    },
  }
}
