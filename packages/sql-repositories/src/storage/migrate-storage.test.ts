import type { VolumeId } from '@trivium/storage-core/ports'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { allDatabases } from '../../tests/test-databases.ts'
import { migrate } from '../migrations/migrate.ts'
import { migrateStorage, storageMigrations } from './migrate-storage.ts'
import { sqlStorageRepositories } from './sql-storage-repositories.ts'

describe.each(allDatabases)('migrateStorage on $name', ({ create }) => {
  it('adds the volumes of jobs that were stored without them', async () => {
    const fresh = await create()
    onTestFinished(() => fresh.remove())
    const database = await fresh.open()
    const { '0007-owners': _, ...before } = storageMigrations.migrations
    await migrate(database, { ...storageMigrations, migrations: before })
    const volume = '00000001-0003-4000-8000-000000000000'
    for (const lane of [`quotas/${volume}`, `clones/${volume}`]) {
      await sql`
        insert into storage_jobs (uuid, description, task, lane, svm_uuid, svm_name, node_uuid, node_name, state)
        values (${lane}, 'x', '{}', ${lane}, 's', 's', 'n', 'n', 'queued')
      `.execute(database.kysely)
    }
    await migrateStorage(database)
    const { rows } = await sql`select volume_uuid from storage_jobs`.execute(database.kysely)
    expect(rows).toEqual([{ volume_uuid: volume }, { volume_uuid: volume }])
  })

  it('keeps the order of splits that were stored without one', async () => {
    const fresh = await create()
    onTestFinished(() => fresh.remove())
    const database = await fresh.open()
    const before = Object.entries(storageMigrations.migrations).filter(([name]) => name < '0012-split-queue')
    await migrate(database, { ...storageMigrations, migrations: Object.fromEntries(before) })
    const volume = '00000001-0003-4000-8000-000000000000' as VolumeId
    const start = Date.UTC(2026, 0, 2)
    for (const [uuid, after] of [
      ['b', 1],
      ['a', 2],
      ['c', 0],
    ] as const) {
      await sql`
        insert into storage_splits (uuid, svm_uuid, svm_name, volume_uuid, volume_name, node_uuid, node_name, path,
          identity, size, remaining, position, started_at, free_at)
        values (${uuid}, 's', 's', ${volume}, 'v', 'n', 'n', ${uuid}, 'i', 8, 4, 4, ${start + after}, 0)
      `.execute(database.kysely)
    }
    await migrateStorage(database)
    const { splits } = sqlStorageRepositories(database)
    expect(await splits.queue(volume, 10)).toEqual(['c', 'b', 'a'])
    const now = new Date(start)
    const claim = { owner: 'me', volumes: [volume], now, leaseUntil: new Date(start + 1000) }
    expect(await splits.claim(claim)).toMatchObject({ uuid: 'c', remaining: 4, position: 4, state: 'running' })
  })
})

describe.each(allDatabases.filter(({ name }) => /sqlite/i.test(name)))('migrateStorage on $name', ({ create }) => {
  it('updates the statistics of rules where the database has some', async () => {
    const fresh = await create()
    onTestFinished(() => fresh.remove())
    const database = await fresh.open()
    const { '0009-rules-of-volume-by-space': _, ...before } = storageMigrations.migrations
    await migrate(database, { ...storageMigrations, migrations: before })
    await sql`
      insert into storage_quota_rules (uuid, svm_uuid, svm_name, volume_uuid, volume_name, type)
      values ('u', 's', 's', 'v', 'v', 'tree')
    `.execute(database.kysely)
    await sql`analyze`.execute(database.kysely)
    await migrateStorage(database)
    const index = 'storage_quota_rules_by_volume_space'
    const { rows } = await sql`select stat from sqlite_stat1 where idx = ${index}`.execute(database.kysely)
    expect(rows).toEqual([{ stat: '1 1 1 1' }])
  })
})
