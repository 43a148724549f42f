import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import type { Database } from '../database.ts'
import { sqlApiKeys } from './sql-api-keys.ts'
import { sqlBudgets } from './sql-budgets.ts'
import { sqlKeyInvalidations } from './sql-key-invalidations.ts'
import { sqlRateLimiter } from './sql-rate-limiter.ts'
import { sqlUsage } from './sql-usage.ts'

/** All that a gateway keeps, in one database that any number of replicas share. Its tables are made by `migrateGateway`. */
export const sqlGatewayRepositories = (database: Database): GatewayRepositories => ({
  apiKeys: sqlApiKeys(database),
  rateLimiter: sqlRateLimiter(database),
  budgets: sqlBudgets(database),
  usage: sqlUsage(database),
  keyInvalidations: sqlKeyInvalidations(database),
})
