import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { sqlGatewayRepositories } from '../src/gateway/index.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { openDatabase } from '../src/open-database.ts'
import { transact } from '../src/transact.ts'
import { canMountSmallDisks, mountSmallDisk } from './small-disk.ts'

const canMount = await canMountSmallDisks()
const FULL = { errcode: 13, message: 'database or disk is full' }

it.runIf(canMount).each(['process', 'power'] as const)(
  'SQLite reports a full disk, rolls back the transaction, and writes again once there is space (durability %s)',
  async (durability) => {
    const disk = await mountSmallDisk(2)
    onTestFinished(() => disk.unmount())
    const database = await openDatabase({ url: `sqlite:${join(disk.directory, 'test.db')}`, durability })
    onTestFinished(() => database.close())
    await migrateGateway(database)
    const { apiKeys } = sqlGatewayRepositories(database)
    await sql`create table pieces (id integer, piece text)`.execute(database.kysely)
    const fillTransaction = () =>
      transact(database, async (transaction) => {
        for (let id = 0; id < 64; id += 1) {
          await sql`insert into pieces values (${id}, ${'x'.repeat(10_000)})`.execute(transaction)
        }
      })
    const count = async () =>
      (await sql<{ count: number }>`select count(*) as count from pieces`.execute(database.kysely)).rows[0]?.count

    await apiKeys.proveWritable()
    disk.fill()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(fillTransaction()).rejects.toMatchObject(FULL)
      await expect(apiKeys.proveWritable()).rejects.toMatchObject(FULL)
    }
    expect(await count()).toBe(0)
    disk.free()
    await apiKeys.proveWritable()
    await fillTransaction()
    expect(await count()).toBe(64)
  },
)

it.runIf(canMount)('proveWritable takes no additional space', async () => {
  const disk = await mountSmallDisk(8)
  onTestFinished(() => disk.unmount())
  const file = join(disk.directory, 'test.db')
  const database = await openDatabase(`sqlite:${file}`)
  onTestFinished(() => database.close())
  await migrateGateway(database)
  const { apiKeys } = sqlGatewayRepositories(database)
  const taken = () =>
    readdirSync(disk.directory).reduce((sum, name) => sum + statSync(join(disk.directory, name)).size, 0)
  // SQLite restarts its log after every thousand pages.
  for (let proof = 0; proof < 3000; proof += 1) await apiKeys.proveWritable()
  const before = taken()
  for (let proof = 0; proof < 10_000; proof += 1) await apiKeys.proveWritable()
  expect(taken()).toBe(before)
})
