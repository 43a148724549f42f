import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import type { Database } from '../database.ts'
import { verifyTables } from '../migrations/verify-tables.ts'
import { gatewayMigrations } from './migrate-gateway.ts'
import { sqlAnswerCache } from './sql-answer-cache.ts'
import { sqlApiKeys } from './sql-api-keys.ts'
import { sqlBudgets } from './sql-budgets.ts'
import { sqlConversations } from './sql-conversations.ts'
import { sqlGroups } from './sql-groups.ts'
import { sqlKeyInvalidations } from './sql-key-invalidations.ts'
import { sqlRateLimiter } from './sql-rate-limiter.ts'
import { sqlRequestLog } from './sql-request-log.ts'
import { sqlResponses } from './sql-responses.ts'
import { sqlUsage } from './sql-usage.ts'

/**
 * Creates all repositories of a gateway in one database, which any number of replicas can share. `migrateGateway`
 * creates the tables.
 *
 * @example
 * ```ts
 * import { openDatabase } from '@trivium/sql-repositories'
 * import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
 *
 * const database = await openDatabase('sqlite:gateway.sqlite')
 * await migrateGateway(database)
 * const repositories = sqlGatewayRepositories(database)
 * ```
 */
export const sqlGatewayRepositories = (database: Database): GatewayRepositories => ({
  apiKeys: sqlApiKeys(database),
  rateLimiter: sqlRateLimiter(database),
  budgets: sqlBudgets(database),
  usage: sqlUsage(database),
  groups: sqlGroups(database),
  keyInvalidations: sqlKeyInvalidations(database),
  responses: sqlResponses(database),
  conversations: sqlConversations(database),
  answerCache: sqlAnswerCache(database),
  requestLog: sqlRequestLog(database),
  verify: () => verifyTables(database, gatewayMigrations),
})
