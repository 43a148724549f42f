import {
  answerCacheConformance,
  apiKeyRepositoryConformance,
  budgetRepositoryConformance,
  conversationRepositoryConformance,
  groupRepositoryConformance,
  keyInvalidationsConformance,
  rateLimiterConformance,
  requestLogConformance,
  responseRepositoryConformance,
  usageRepositoryConformance,
} from '@trivium/gateway-core/conformance'
import { describe, vi } from 'vitest'
import { conformanceStore } from '../../tests/conformance-store.ts'
import { allDatabases, hostDatabases } from '../../tests/test-databases.ts'
import { migrateGateway } from './migrate-gateway.ts'
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

vi.setConfig({ testTimeout: 60_000 })

const tables = [
  'gateway_api_keys',
  'gateway_admissions',
  'gateway_budgets',
  'gateway_holds',
  'gateway_receipts',
  'gateway_usage',
  'gateway_usage_sums',
  'gateway_usage_tags',
  'gateway_key_changes',
  'gateway_responses',
  'gateway_response_outputs',
  'gateway_response_owners',
  'gateway_conversations',
  'gateway_conversation_items',
  'gateway_groups',
  'gateway_answers',
  'gateway_requests',
]

describe.each([...allDatabases, ...hostDatabases])('$name', (kind) => {
  const open = conformanceStore({ kind, migrate: migrateGateway, tables })
  apiKeyRepositoryConformance(async (replicas) => (await open(replicas)).map(sqlApiKeys))
  rateLimiterConformance(async (replicas) => (await open(replicas)).map(sqlRateLimiter))
  groupRepositoryConformance(async (replicas) => (await open(replicas)).map(sqlGroups))
  budgetRepositoryConformance(async (replicas) => (await open(replicas)).map(sqlBudgets))
  usageRepositoryConformance(async (replicas) => (await open(replicas)).map(sqlUsage))
  responseRepositoryConformance(async (replicas) => (await open(replicas)).map(sqlResponses))
  conversationRepositoryConformance(async (replicas) => (await open(replicas)).map(sqlConversations))
  answerCacheConformance(async (replicas) => (await open(replicas)).map(sqlAnswerCache))
  requestLogConformance(async (replicas) => (await open(replicas)).map((database) => sqlRequestLog(database)))
  describe.runIf(kind.name === 'SQLite in memory')('with small windows', () => {
    requestLogConformance(async (replicas) =>
      (await open(replicas)).map((database) => sqlRequestLog(database, { window: 2, textWindow: 1 })),
    )
  })
  keyInvalidationsConformance(async (replicas) =>
    (await open(replicas)).map((database) => sqlKeyInvalidations(database, { pollMs: 10 })),
  )
})
