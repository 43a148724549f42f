import type { ApiKey, ApiKeyId, Nanodollars } from '@trivium/gateway-core'
import type { ReservationId } from '@trivium/gateway-core/ports'
import type { CloneToken, QuotaRule } from '@trivium/storage-core'
import type { CloneTokenId, NodeId, QuotaRuleId, SvmId, VolumeId } from '@trivium/storage-core/ports'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { openDatabase } from '../src/open-database.ts'
import { sqlStorageRepositories } from '../src/storage/sql-storage-repositories.ts'

/** Operations that one of several processes runs at the same time. `first` makes the ids of the processes distinct. */
export type Order =
  | { readonly kind: 'admit'; readonly count: number; readonly limit: number; readonly now: number }
  | { readonly kind: 'reserve-tokens'; readonly count: number; readonly first: number; readonly limit: number }
  | { readonly kind: 'reserve-load'; readonly count: number; readonly first: number; readonly size: number }
  | { readonly kind: 'add-names'; readonly count: number; readonly first: number }
  | { readonly kind: 'add-rules'; readonly count: number; readonly first: number }

const startTime = Date.UTC(2026, 0, 2)
const uuid = (index: number) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`

// Ids are opaque to repositories.
const keyId = uuid(1) as ApiKeyId
const node = { uuid: uuid(1) as NodeId, name: 'node1' }

const database = await openDatabase(process.argv[2] ?? '')
const { rateLimiter, budgets, apiKeys } = sqlGatewayRepositories(database)
const { cloneTokens, quotaRules } = sqlStorageRepositories(database)

/** Runs one operation of an order. @returns whether it was granted */
async function runOrder(order: Order, index: number): Promise<boolean> {
  switch (order.kind) {
    case 'admit':
      return (await rateLimiter.admit(keyId, order.limit, new Date(order.now))).admitted
    case 'reserve-tokens': {
      const id = uuid(order.first + index) as ReservationId
      const accounts = [{ id: keyId, budget: { tokensPerDay: order.limit } }]
      const most = { tokens: 10, cost: 0 as Nanodollars }
      const reservation = { id, accounts, ...most, expiresAt: new Date(startTime + 60_000) }
      return (await budgets.reserve(reservation, new Date(startTime))).granted
    }
    case 'reserve-load':
      return (await cloneTokens.reserve(aToken(order.first + index, order.size), new Date(startTime))) === 'reserved'
    case 'add-names':
      return (await apiKeys.add(aKey(order.first + index, `name ${index}`))) === 'added'
    case 'add-rules':
      return (await quotaRules.add(aRule(order.first + index, index))).rule
  }
}

process.on('message', async (order: Order) => {
  const granted = await Promise.all(Array.from({ length: order.count }, (_, index) => runOrder(order, index)))
  process.send?.(granted.filter(Boolean).length)
})
process.on('disconnect', () => database.close())
process.send?.('ready')

function aToken(index: number, reserveSize: number): CloneToken {
  const expiresAt = new Date(startTime + 60_000)
  return { node, uuid: uuid(index) as CloneTokenId, reserveSize, lifetimeSeconds: 60, expiresAt }
}

function aKey(index: number, name: string): ApiKey {
  return {
    id: uuid(index) as ApiKeyId,
    hash: index.toString(16).padStart(64, '0') as ApiKey['hash'],
    hint: 'tvm_AbCd',
    userId: 'user',
    username: 'ada',
    name,
    rateLimit: 10,
    budget: {},
    policy: {},
    createdAt: new Date(startTime),
    usageCount: 0,
  }
}

function aRule(index: number, qtree: number): QuotaRule {
  return {
    uuid: uuid(index) as QuotaRuleId,
    svm: { uuid: uuid(1) as SvmId, name: 'svm1' },
    volume: { uuid: uuid(1) as VolumeId, name: 'vol1' },
    target: { type: 'tree', qtree: `qt${qtree}` },
    limits: {},
  }
}
