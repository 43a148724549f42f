import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { QuotaRule } from '@trivium/storage-core'
import type { QuotaTarget } from '@trivium/storage-core/ports'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allDatabases, type FreshDatabase, sharedDatabases } from '../../tests/test-databases.ts'
import type { Database } from '../database.ts'
import { emulationMigrations } from '../emulation/migrate-emulation.ts'
import type { UsageRow } from '../gateway/gateway-tables.ts'
import { gatewayMigrations } from '../gateway/migrate-gateway.ts'
import { sqlUsage } from '../gateway/sql-usage.ts'
import { storageMigrations } from '../storage/migrate-storage.ts'
import { toRow, userRows } from '../storage/quota-rule-row.ts'
import { keyRows } from '../storage/rule-keys.ts'
import { sqlStorageRepositories } from '../storage/sql-storage-repositories.ts'
import type { QuotaRuleRow, StorageTables } from '../storage/storage-tables.ts'
import { migrate } from './migrate.ts'
import type { MigrationSet } from './migration-set.ts'
import { migrationState } from './migration-state.ts'

const sets = [gatewayMigrations, storageMigrations, emulationMigrations]

const upTo = ({ name, migrations }: MigrationSet, steps: number): MigrationSet => ({
  name,
  migrations: Object.fromEntries(Object.entries(migrations).slice(0, steps)),
})

/** Every table with its columns, which must be equal in two databases of the same version. */
async function schemaOf({ kysely }: Database): Promise<unknown> {
  const tables = await kysely.introspection.getTables()
  return tables
    .map(({ name, columns }) => ({
      name,
      columns: columns.map(({ name, dataType, isNullable }) => `${name} ${dataType} ${isNullable}`),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

const appliedSteps = async (database: Database, set: MigrationSet) => (await migrationState(database, set)).applied

describe.each(allDatabases)('migrations on $name', (kind) => {
  let fresh: FreshDatabase
  let database: Database

  beforeEach(async () => {
    fresh = await kind.create()
    database = await fresh.open()
  })
  afterEach(() => fresh.remove())

  describe.each(sets)('of $name', (set) => {
    let newest: unknown

    beforeAll(async () => {
      const other = await kind.create()
      const complete = await other.open()
      await migrate(complete, set)
      newest = await schemaOf(complete)
      await other.remove()
    })

    it.each([...Object.keys(set.migrations).keys()])('bring version %i to the newest schema', async (steps) => {
      await migrate(database, upTo(set, steps))
      await migrate(database, set)
      expect(await schemaOf(database)).toEqual(newest)
      expect(await appliedSteps(database, set)).toEqual(Object.keys(set.migrations))
    })
  })

  it('put all domains into one database, and change nothing the second time', async () => {
    for (const set of sets) await migrate(database, set)
    const before = await schemaOf(database)
    for (const set of sets) await migrate(database, set)
    expect(await schemaOf(database)).toEqual(before)
  })

  it('keep the rows that an older version wrote', async () => {
    await migrate(database, upTo(gatewayMigrations, 2))
    await sql`insert into gateway_budgets (key_id, minute_window, minute_tokens, day_window, day_tokens) values ('key', 1, 1, 1, 1)`.execute(
      database.kysely,
    )
    await migrate(database, gatewayMigrations)
    const { rows } = await sql`select key_id from gateway_budgets`.execute(database.kysely)
    expect(rows).toEqual([{ key_id: 'key' }])
  })

  it('keep the rules of an older version, their users and their targets', async () => {
    await migrate(database, upTo(storageMigrations, 4))
    const { quotaRules } = sqlStorageRepositories(database)
    const rules = [
      aQuotaRule(1, { type: 'user', users: [{ name: 'sam' }, { id: '7' }] }),
      aQuotaRule(2, { type: 'tree', qtree: 'qt1' }),
    ]
    type OldTables = Omit<StorageTables, 'storage_quota_rules'> & {
      readonly storage_quota_rules: Omit<QuotaRuleRow, 'grace_period_seconds' | 'thresholds'>
    }
    const tables = database.kysely.$extendTables<OldTables>()
    for (const rule of rules) {
      const { grace_period_seconds: _period, thresholds: _thresholds, ...row } = toRow(rule)
      await tables.insertInto('storage_quota_rules').values(row).execute()
      const users = userRows(rule)
      if (users.length > 0) await tables.insertInto('storage_quota_rule_users').values(users).execute()
      await tables.insertInto('storage_quota_rule_keys').values(keyRows(rule)).execute()
    }
    await migrate(database, storageMigrations)
    const userIsSam = { field: 'userName', negated: false, term: { kind: 'equals', value: 'sam' } } as const
    expect((await quotaRules.list({ query: { all: [] }, order: [], limit: 9 })).records).toEqual(rules)
    expect(await quotaRules.count({ all: [{ any: [userIsSam] }] })).toBe(1)
    expect(await quotaRules.add(aQuotaRule(3, { type: 'tree', qtree: 'qt1' }))).toMatchObject({ rule: false })
  })

  it('sum up the usage that an older version wrote', async () => {
    await migrate(database, upTo(gatewayMigrations, 4))
    const hour = 3_600_000
    const times = [0, 1, hour - 1, hour, 25 * hour, 25 * hour + 1, 400 * hour].map(
      (time) => Date.UTC(2026, 0, 2) + time,
    )
    const tables = database.kysely.$extendTables<{ gateway_usage: OldUsageRow }>()
    for (const [index, at] of times.entries()) {
      await tables
        .insertInto('gateway_usage')
        .values(aUsageRow(`usage-${index}`, at))
        .execute()
    }
    await migrate(database, gatewayMigrations)
    const { rows } = await sql<{ span: number; requests: number }>`
      select span, requests from gateway_usage_sums order by span, start
    `.execute(database.kysely)
    expect(rows.map(({ span, requests }) => [span / hour, requests])).toEqual([
      [1, 3],
      [1, 1],
      [1, 2],
      [1, 1],
      [24, 4],
      [24, 2],
      [24, 1],
    ])
    const year = { from: new Date(Date.UTC(2026, 0, 2)), to: new Date(Date.UTC(2027, 0, 1)), limit: 10 }
    expect(await sqlUsage(database).summarize({ ...year, groupBy: ['key'] })).toEqual([
      {
        keyId: 'key',
        requests: 7,
        failures: 7,
        partial: 0,
        inputTokens: 14,
        outputTokens: 21,
        cachedTokens: 0,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
        audioTokens: 0,
        searches: 0,
        images: 0,
        cost: 0n,
      },
    ])
  })

  it('refuse a database of a newer release', async () => {
    await migrate(database, gatewayMigrations)
    await expect(migrate(database, upTo(gatewayMigrations, 1))).rejects.toThrow(/newer release.*0002-limits/)
  })

  it('repeat a step that failed half-way', async () => {
    let broken = true
    const set: MigrationSet = {
      name: 'example',
      migrations: {
        '0001-first': async ({ createTable, createIndex, types }) => {
          await createTable('example').addColumn('id', types.integer).execute()
          await createIndex('example_id', 'example', ['id'])
          if (broken) throw new Error('half-way')
        },
      },
    }
    await expect(migrate(database, set)).rejects.toThrow('half-way')
    expect(await appliedSteps(database, set)).toEqual([])
    broken = false
    await migrate(database, set)
    expect(await appliedSteps(database, set)).toEqual(['0001-first'])
  })

  // MySQL and MariaDB cannot undo a change of the schema.
  if (kind.name === 'MariaDB') return

  it('roll back a step that failed', async () => {
    const set: MigrationSet = {
      name: 'example',
      migrations: {
        '0001-first': async ({ createTable, types }) => {
          await createTable('example').addColumn('id', types.integer).execute()
          throw new Error('half-way')
        },
      },
    }
    await expect(migrate(database, set)).rejects.toThrow('half-way')
    expect(JSON.stringify(await schemaOf(database))).not.toContain('"example"')
  })
})

const migratingProcesses: ChildProcess[] = []
beforeAll(() => {
  const program = fileURLToPath(new URL('../../tests/migrating-process.ts', import.meta.url))
  const execArgv = ['--conditions=@trivium/source']
  migratingProcesses.push(...Array.from({ length: 3 }, () => fork(program, { execArgv })))
})
afterAll(() => {
  for (const child of migratingProcesses) child.kill()
})

/** Returns what each process answers to a message, or its exit code where it ends instead. */
const answers = (message: string): Promise<readonly unknown[]> =>
  Promise.all(
    migratingProcesses.map(async (child) => {
      const answered = new AbortController()
      const { signal } = answered
      const events = ['message', 'exit'].map((event) => once(child, event, { signal }))
      child.send(message)
      const [answer] = await Promise.any(events)
      // The other event has a listener, which would stay with the process.
      answered.abort()
      return answer
    }),
  )

describe.each(sharedDatabases)('processes that migrate $name at the same time', (kind) => {
  it.each([
    ['an empty database', 0],
    ['an old database', 1],
  ])('bring %s to the same schema', { timeout: 60_000 }, async (_, steps) => {
    const fresh = await kind.create()
    const url = fresh.url ?? ''
    const database = await fresh.open()
    for (const set of sets) await migrate(database, upTo(set, steps))
    expect(await answers(url)).toEqual(['ready', 'ready', 'ready'])
    expect(await answers('go')).toEqual(['migrated', 'migrated', 'migrated'])
    for (const set of sets) expect(await appliedSteps(database, set)).toEqual(Object.keys(set.migrations))
    await fresh.remove()
  })
})

describe.each(sharedDatabases.filter(({ name }) => name === 'PostgreSQL'))('a schema of $name', (kind) => {
  it('has its own tables when another schema has tables of the same names', async () => {
    const fresh = await kind.create()
    const outer = await fresh.open()
    await migrate(outer, gatewayMigrations)
    await sql`create schema inner_one`.execute(outer.kysely)
    const inner = await fresh.open({ url: `${fresh.url}?options=-c%20search_path%3Dinner_one` })
    await migrate(inner, gatewayMigrations)
    expect(await appliedSteps(inner, gatewayMigrations)).toEqual(Object.keys(gatewayMigrations.migrations))
    await insertKey(inner.kysely)
    expect((await sql`select * from public.gateway_budgets`.execute(outer.kysely)).rows).toEqual([])
    await fresh.remove()
  })
})

// Ids are opaque to repositories.
const aQuotaRule = (number: number, target: QuotaTarget): QuotaRule => ({
  uuid: `rule${number}` as QuotaRule['uuid'],
  svm: { uuid: 'svm' as QuotaRule['svm']['uuid'], name: 'svm1' },
  volume: { uuid: 'volume' as QuotaRule['volume']['uuid'], name: 'vol1' },
  target,
  limits: { spaceHard: 1024 },
})

/** The columns of the third migration. */
type OldUsageRow = Omit<
  UsageRow,
  | 'cached_tokens'
  | 'cache_write_tokens'
  | 'reasoning_tokens'
  | 'audio_input_tokens'
  | 'audio_output_tokens'
  | 'searches'
  | 'cost'
  | 'person_id'
  | 'team_id'
  | 'tag_set'
  | 'end_user'
  | 'upstream_model'
>

const aUsageRow = (id: string, at: number): OldUsageRow => ({
  id,
  at,
  day: new Date(at).toISOString().slice(0, 10),
  key_id: 'key',
  operation: 'chat',
  model: 'model',
  provider: null,
  streamed: 0,
  input_tokens: 2,
  output_tokens: 3,
  estimated: 0,
  partial: 0,
  status: 500,
  latency_ms: 1,
  first_token_ms: null,
  images: 0,
})

async function insertKey(kysely: Kysely<unknown>): Promise<void> {
  await sql`insert into gateway_budgets (key_id, minute_window, minute_tokens, day_window, day_tokens) values ('key', 1, 1, 1, 1)`.execute(
    kysely,
  )
}
