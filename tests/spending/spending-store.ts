import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import { openRedis, redisBudgets } from '@trivium/redis-repositories/gateway'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'

/** Opens the store of a test: a database, with the budgets in a Redis where its address is given. */
export async function openSpendingStore(
  url: string,
  redisUrl: string,
): Promise<{ readonly repositories: GatewayRepositories; close(): Promise<void> }> {
  const database = await openDatabase({ url, ...(url.startsWith('sqlite') ? {} : { maxConnections: 6 }) })
  await migrateGateway(database)
  const repositories = sqlGatewayRepositories(database)
  const [address, prefix] = redisUrl.split('#')
  if (!address || prefix === undefined) return { repositories, close: () => database.close() }
  const redis = await openRedis(address)
  return {
    repositories: { ...repositories, budgets: redisBudgets(redis, { prefix }) },
    async close() {
      await redis.close()
      await database.close()
    },
  }
}
