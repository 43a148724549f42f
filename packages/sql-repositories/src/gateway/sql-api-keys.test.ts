import type { ApiKey, ApiKeyId } from '@trivium/gateway-core'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../open-database.ts'
import { migrateGateway } from './migrate-gateway.ts'
import { sqlApiKeys } from './sql-api-keys.ts'

// Ids and hashes are opaque to repositories.
const aKey = (id: string): ApiKey => ({
  id: id as ApiKeyId,
  hash: `hash of ${id}` as ApiKey['hash'],
  hint: 'tvm_1',
  userId: 'user',
  username: 'ada',
  rateLimit: 10,
  budget: {},
  policy: {},
  createdAt: new Date(1_000),
  usageCount: 0,
})

it('counts no use of any key when one of many cannot be written', async () => {
  const database = await openDatabase('memory:')
  await migrateGateway(database)
  const keys = sqlApiKeys(database)
  const ids = Array.from({ length: 450 }, (_, index) => `key-${String(index).padStart(3, '0')}`)
  for (const id of ids) await keys.add(aKey(id))
  await sql`
    create trigger full before update on gateway_api_keys when old.id = 'key-449'
    begin select raise(abort, 'the disk is full'); end
  `.execute(database.kysely)
  const uses = ids.map((id) => ({ id: id as ApiKeyId, count: 2, lastUsedAt: new Date(2_000) }))
  const counts = async () => {
    const { rows } = await sql<{ count: number }>`
      select distinct usage_count as count from gateway_api_keys
    `.execute(database.kysely)
    return rows.map(({ count }) => count)
  }
  await expect(keys.recordUses(uses)).rejects.toThrow('the disk is full')
  expect(await counts()).toEqual([0])
  await sql`drop trigger full`.execute(database.kysely)
  await keys.recordUses(uses)
  expect(await counts()).toEqual([2])
  await database.close()
})
