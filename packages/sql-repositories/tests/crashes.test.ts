import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Job } from '@trivium/storage-core'
import { everything, type NodeId } from '@trivium/storage-core/ports'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '../src/database.ts'
import { migrateEmulation } from '../src/emulation/migrate-emulation.ts'
import { sqlEmulationRepositories } from '../src/emulation/sql-emulation-repositories.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { migrateStorage } from '../src/storage/migrate-storage.ts'
import { sqlStorageRepositories } from '../src/storage/sql-storage-repositories.ts'
import { seededRandom } from './seeded-random.ts'
import { type FreshDatabase, sharedDatabases } from './test-databases.ts'
import {
  aBatch,
  aDrawing,
  aKey,
  anEnforcedQuota,
  anInstance,
  aProject,
  aQtree,
  aRemovedInstance,
  aRule,
  aToken,
  budgetOf,
  minuteLater,
  RECORDS,
  RESERVE_SIZE,
  RULES_PER_BATCH,
  SPREAD,
  start,
  uuid,
  volumeOf,
} from './written-entities.ts'

/** Each round writes entities of every kind. */
const ROUNDS = 200
const PROCESSES = 3
const KILLS = 6
const NUMBERS_PER_PROCESS = 100_000
const everyRecord = { query: everything, order: [], limit: 100_000 } as const

const program = fileURLToPath(new URL('writing-process.ts', import.meta.url))

describe.each(sharedDatabases)('processes that are killed while they write to $name', { timeout: 300_000 }, (kind) => {
  let fresh: FreshDatabase
  let database: Database
  let answered: readonly number[]

  beforeAll(async () => {
    fresh = await kind.create()
    database = await fresh.open()
    for (const migrate of [migrateGateway, migrateStorage, migrateEmulation]) await migrate(database)
    const { nodes } = sqlStorageRepositories(database)
    for (let index = 0; index < SPREAD; index += 1) {
      // Ids are opaque here.
      await nodes.register({ uuid: uuid(index) as NodeId, name: `node${index}`, splitLoadMaximum: 2 ** 40 })
    }
    const before = new Set((await sessionsOf(database, fresh.url)).map(({ id }) => id))
    answered = await writeThroughKills(fresh.url ?? '')
    // A server ends what a killed process has sent to it: until then rows can appear between two reads.
    await vi.waitFor(
      async () => {
        const sessions = await sessionsOf(database, fresh.url)
        expect(sessions.filter(({ id, isOwn }) => !isOwn && !before.has(id))).toEqual([])
      },
      { timeout: 30_000, interval: 50 },
    )
  }, 600_000)
  afterAll(() => fresh.remove())

  /** Entities of the store by id. */
  const byId = <Entity>(entities: readonly Entity[], idOf: (entity: Entity) => string) =>
    new Map(entities.map((entity) => [idOf(entity), entity]))

  const count = async (table: string) =>
    Number(
      (await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(database.kysely)).rows[0]
        ?.count,
    )

  it('keep every answered write of the gateway complete', async () => {
    const { apiKeys, usage } = sqlGatewayRepositories(database)
    expect(answered.length).toBeGreaterThanOrEqual(ROUNDS)
    const keys = byId(await apiKeys.list({ limit: 100_000 }), ({ id }) => id)
    const models = await usage.summarize({ from: start, to: minuteLater, groupBy: ['model'], limit: 100_000 })
    if (models === 'too-large') throw new Error('there are too many models')
    const requests = new Map(models.map(({ model, requests }) => [model, requests]))
    for (const index of answered) {
      expect(keys.get(uuid(index))).toEqual(aKey(index))
      expect(requests.get(`model ${index}`)).toBe(RECORDS)
    }
    expect(new Set(requests.values())).toEqual(new Set([RECORDS]))
  })

  it('keep every answered write of storage complete', async () => {
    const { quotaRules, cloneTokens, qtrees, enforcedQuotas } = sqlStorageRepositories(database)
    const rules = byId((await quotaRules.list(everyRecord)).records, ({ uuid }) => uuid)
    const tokens = byId((await cloneTokens.list(everyRecord, start)).records, ({ uuid }) => uuid)
    const trees = byId((await qtrees.list(everyRecord)).records, ({ name }) => name)
    const quotas = new Map<string, unknown>()
    for (let volume = 0; volume < SPREAD; volume += 1) {
      for (const quota of await enforcedQuotas.list(volumeOf(volume).uuid)) quotas.set(quota.rule, quota)
    }
    for (const index of answered) {
      expect(rules.get(uuid(index))).toEqual(aRule(index))
      for (const rule of aBatch(index, 2)) expect(rules.get(rule.uuid)).toEqual(rule)
      expect(quotas.get(uuid(index))).toEqual(anEnforcedQuota(index))
      expect(tokens.get(uuid(index))).toEqual({ ...aToken(index), reserveSize: RESERVE_SIZE / 2 })
      expect(trees.get(`qtree ${index}`)).toMatchObject(aQtree(index))
    }
  })

  it('leave whole batches of rules', async () => {
    const { records } = await sqlStorageRepositories(database).quotaRules.list(everyRecord)
    const batches = new Map<string, (typeof records)[number]['limits']['filesHard'][]>()
    for (const { target, limits } of records) {
      const [first] = target.type === 'user' ? target.users : []
      const name = first && 'name' in first ? first.name : ''
      if (!name.startsWith('c')) continue
      const batch = name.slice(0, name.indexOf('-'))
      batches.set(batch, [...(batches.get(batch) ?? []), limits.filesHard])
    }
    expect(batches.size).toBeGreaterThanOrEqual(answered.length)
    for (const limits of batches.values()) {
      expect(limits).toHaveLength(RULES_PER_BATCH)
      expect(new Set(limits).size).toBe(1)
    }
  })

  it('keep every answered write of emulation complete', async () => {
    const { projects, instances, drawings } = sqlEmulationRepositories(database)
    const allProjects = byId(await projects.list(), ({ id }) => id)
    const allInstances = byId(await instances.list(), ({ id }) => id)
    for (const index of answered) {
      expect(allProjects.get(uuid(index))).toEqual(aProject(index))
      expect(allInstances.get(uuid(index))).toEqual(anInstance(index, 1))
      expect(await drawings.list(aProject(index).id)).toEqual([aDrawing(index, 1)])
      expect(allInstances.has(aRemovedInstance(index).id)).toBe(false)
    }
    // Every removal belongs to an instance that no longer exists.
    expect(await count('emulation_removals')).toBe(
      (await removals(database)).filter(({ id }) => !allInstances.has(id)).length,
    )
    expect(await count('emulation_removals')).toBeGreaterThanOrEqual(answered.length)
  })

  it('leave no half-written entities', async () => {
    const rules = await count('storage_quota_rules')
    expect(rules).toBeGreaterThanOrEqual(answered.length)
    expect(await count('storage_quota_rule_users')).toBe(2 * rules)
    expect(await count('storage_quota_rule_keys')).toBe(2 * rules)
    expect(await count('storage_jobs')).toBe(await count('storage_qtrees'))
    const split = await count('storage_splits')
    const { cloneTokens, nodes } = sqlStorageRepositories(database)
    const tokens = (await cloneTokens.list(everyRecord, start)).records
    expect(tokens.filter(({ reserveSize }) => reserveSize === RESERVE_SIZE / 2)).toHaveLength(split)
    const loads = await nodes.splitLoads(start)
    expect(loads.reduce((sum, { current, tokenReserved }) => sum + current + tokenReserved, 0)).toBe(
      tokens.length * RESERVE_SIZE,
    )
  })

  it('leave no reservation after its expiry', async () => {
    const { nodes, cloneTokens } = sqlStorageRepositories(database)
    const { budgets } = sqlGatewayRepositories(database)
    expect((await nodes.splitLoads(minuteLater)).map(({ tokenReserved }) => tokenReserved)).toEqual(
      Array.from({ length: SPREAD }, () => 0),
    )
    const tokens = await count('storage_clone_tokens')
    expect(await cloneTokens.removeExpired(minuteLater)).toHaveLength(tokens)
    let settled = 0
    for (let key = 0; key < SPREAD; key += 1) {
      const { day, reserved } = await budgets.inspect(budgetOf(key), minuteLater)
      expect(reserved).toBe(0)
      settled += day
    }
    expect(settled).toBeGreaterThanOrEqual(7 * answered.length)
    expect(settled % 7).toBe(0)
  })

  it('leave jobs that another process can finish', async () => {
    const { jobs } = sqlStorageRepositories(database)
    const all = (await jobs.list(everyRecord)).records
    const left = all.filter(({ state }) => state !== 'success')
    const lanes = [...new Set(left.map(({ lane }: Job) => lane))]
    const held = left.filter(({ state }) => state === 'running').map(({ lane }) => lane)
    const claimer = { owner: 'heir', leaseUntil: new Date(minuteLater.getTime() + 60_000) }
    expect(await jobs.claim({ ...claimer, lanes: held, now: start })).toBeUndefined()
    for (const _ of left) {
      const job = await jobs.claim({ ...claimer, lanes, now: minuteLater })
      expect(job).toBeDefined()
      if (job) expect(await jobs.finish(job.uuid, 'heir', { state: 'success' }, minuteLater)).toBe(true)
    }
    expect(await jobs.claim({ ...claimer, lanes, now: minuteLater })).toBeUndefined()
    const ended = (await jobs.list(everyRecord)).records
    expect(ended.filter(({ state }) => state === 'success')).toHaveLength(all.length)
  })
})

/** Statements that list the sessions of the current database, by the protocol of its address. */
const sessionLists: Readonly<Record<string, string>> = {
  'postgres:':
    'select pid as id, pid = pg_backend_pid() as own from pg_stat_activity where datname = current_database()',
  'mysql:': 'select id, id = connection_id() as own from information_schema.processlist where db = database()',
}

interface Session {
  readonly id: string
  readonly isOwn: boolean
}

/** Returns the sessions at a database server, and none for a file. */
async function sessionsOf({ kysely }: Database, url: string | undefined): Promise<readonly Session[]> {
  const list = sessionLists[new URL(url ?? 'file:').protocol]
  if (list === undefined) return []
  const { rows } = await sql.raw<{ id: unknown; own: unknown }>(list).execute(kysely)
  return rows.map(({ id, own }) => ({ id: String(id), isOwn: Boolean(own) }))
}

/** Lets several processes write, and kills some of them at random times. @returns the numbers of the answered rounds */
async function writeThroughKills(url: string): Promise<readonly number[]> {
  const random = seededRandom('Processes are killed')
  const answered: number[] = []
  let notifyAnswered: () => void = () => {}
  let startedProcesses = 0
  const begin = async (): Promise<ChildProcess> => {
    startedProcesses += 1
    const child = fork(program, [url, String(startedProcesses * NUMBERS_PER_PROCESS)], {
      execArgv: ['--conditions=@trivium/source'],
    })
    await once(child, 'message')
    child.on('message', (index: number) => {
      answered.push(index)
      notifyAnswered()
    })
    return child
  }
  const end = async (child: ChildProcess) => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const until = async (rounds: number) => {
    while (answered.length < rounds) {
      await new Promise<void>((resolve) => {
        notifyAnswered = resolve
      })
    }
  }

  const children = await Promise.all(Array.from({ length: PROCESSES }, begin))
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await until(Math.floor(((kill - 1 + random()) * ROUNDS) / KILLS))
    await setTimeout(random() * 20)
    const [killed] = children.splice(Math.floor(random() * children.length), 1)
    if (killed) await end(killed)
    children.push(await begin())
  }
  await until(ROUNDS)
  await Promise.all(children.map(end))
  return answered
}

async function removals({ kysely }: Database): Promise<readonly { readonly id: string }[]> {
  return (await sql<{ id: string }>`select id from emulation_removals`.execute(kysely)).rows
}
