import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from '@trivium/sql-repositories'
import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { createStorage, type QuotaRule, type Storage } from '@trivium/storage-core'
import { everything } from '@trivium/storage-core/ports'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { type FreshDatabase, sharedDatabases } from '../../../../packages/sql-repositories/tests/test-databases.ts'
import type { HostMessage } from './storage-host.ts'

const SIZE = 3
const MiB = 2 ** 20
const CLONES = 2
const CLONE_SIZE = 6 * MiB
const RULES = 12
const TOKENS = 60
const vol1 = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
const all = { query: everything, order: [], limit: 10_000 } as const
const program = join(import.meta.dirname, 'storage-host.ts')

interface Host {
  readonly child: ChildProcess
  readonly reported: HostMessage[]
}

describe.skipIf(!(await canMount('btrfs')))('background work', () => {
  describe.each(sharedDatabases)('of processes that share $name', { timeout: 120_000 }, (kind) => {
    const hosts: Host[] = []
    /** All hosts, with those that were killed. */
    const everyHost: Host[] = []
    let fresh: FreshDatabase
    let database: Database
    let mount: LoopMount
    /** Orders work and does not do it. */
    let client: Storage

    const startHost = async (): Promise<void> => {
      const child = fork(program, [fresh.url ?? '', mount.directory], { execArgv: ['--conditions=@trivium/source'] })
      const host: Host = { child, reported: [] }
      child.on('message', (reported: HostMessage) => host.reported.push(reported))
      everyHost.push(host)
      hosts.push(host)
      await waitUntil(() => host.reported.some((reported) => reported.kind === 'ready') || child.exitCode !== null)
      expect(child.exitCode).toBeNull()
    }
    const kill = async (victim: Host): Promise<void> => {
      hosts.splice(hosts.indexOf(victim), 1)
      const exited = once(victim.child, 'exit')
      victim.child.kill('SIGKILL')
      await exited
    }
    const messagesOf = <Kind extends HostMessage['kind']>(host: Host, kind: Kind) =>
      host.reported.filter((reported): reported is Extract<HostMessage, { kind: Kind }> => reported.kind === kind)
    const count = async (table: string): Promise<number> => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
        database.kysely,
      )
      return Number(rows[0]?.count)
    }
    const unfinished = async () => {
      const { records } = await sqlStorageRepositories(database).jobs.list(all)
      expect(records.filter(({ state }) => state === 'failure')).toEqual([])
      return records.filter(({ state }) => state !== 'success').length
    }

    beforeAll(async () => {
      fresh = await kind.create()
      database = await openDatabase(fresh.url ?? '')
      await migrateStorage(database)
      mount = await mountLoop('btrfs', 320)
      // Only the hosts do the work, because the test observes them.
      client = createStorage({ repositories: sqlStorageRepositories(database), lookSeconds: 3600 })
      for (let index = 0; index < SIZE; index += 1) await startHost()
    }, 120_000)
    afterAll(async () => {
      for (const { child } of hosts) {
        const exited = once(child, 'exit')
        child.disconnect()
        await exited
      }
      await database?.close()
      await fresh?.remove()
      await mount?.unmount()
    })

    it('ends every token once, also when one process is killed', async () => {
      const [node] = await client.nodes.list()
      const reserve = async () => {
        for (let index = 0; index < TOKENS / 2; index += 1) {
          const token = { node: node?.uuid ?? '', reserveSize: 4_096, lifetimeSeconds: 1 }
          expect((await client.cloneTokens.create(token)).isOk()).toBe(true)
        }
      }
      const expired = () => everyHost.flatMap((host) => messagesOf(host, 'expired').map(({ token }) => token))
      await reserve()
      await waitUntil(() => expired().length === TOKENS / 2)
      const [busiest] = hosts.toSorted(
        (one, other) => messagesOf(other, 'expired').length - messagesOf(one, 'expired').length,
      )
      if (busiest) await kill(busiest)
      await reserve()
      await waitUntil(() => expired().length === TOKENS)
      expect(new Set(expired()).size).toBe(TOKENS)
      expect(await count('storage_clone_tokens')).toBe(0)
      await startHost()
    })

    it('splits every clone completely, in one process at a time', async () => {
      writeRandom(join(mount.directory, 'source'), CLONE_SIZE)
      for (let index = 0; index < CLONES; index += 1) {
        const ordered = await client.fileClones.create({
          ...vol1,
          source: 'source',
          destination: `clone${index}`,
          split: true,
        })
        expect(ordered.isOk()).toBe(true)
      }
      const splitting = () => hosts.find((host) => messagesOf(host, 'split').length > 2)
      await waitUntil(() => splitting() !== undefined)
      const victim = splitting()
      if (victim) await kill(victim)
      const last = victim && messagesOf(victim, 'split').at(-1)
      await vi.waitFor(async () => expect([await unfinished(), await count('storage_splits')]).toEqual([0, 0]), {
        timeout: 60_000,
        interval: 100,
      })
      expectSequential(everyHost, 'split')
      // The next process continued at the position that the killed one had reached.
      const after = hosts.flatMap((host) => messagesOf(host, 'split')).filter(({ path }) => path === last?.path)
      expect(after.length).toBeGreaterThan(0)
      expect(Math.min(...after.map(({ position }) => position))).toBeGreaterThan(last?.position ?? 0)
      await startHost()
    })

    it('applies the rules of a volume to its file system, one change at a time', async () => {
      const rules: QuotaRule[] = []
      for (let index = 0; index < RULES; index += 1) {
        const made = await client.qtrees.create({ ...vol1, name: `qt${index}` })
        expect(made.isOk()).toBe(true)
        const target = { type: 'tree' as const, qtree: `qt${index}` }
        const rule = (
          await client.quotaRules.create({ ...vol1, ...target, limits: { spaceHard: MiB } })
        )._unsafeUnwrap()
        rules.push(rule.rule)
      }
      await vi.waitFor(async () => expect(await unfinished()).toBe(0), { timeout: 60_000, interval: 100 })
      expect((await client.volumes.setQuota(rules[0]?.volume.uuid ?? '', true)).isOk()).toBe(true)
      await vi.waitFor(async () => expect(await unfinished()).toBe(0), { timeout: 60_000, interval: 100 })

      const quotaWork = (host: Host) => messagesOf(host, 'begun').filter(({ work }) => work === 'quotas').length
      const before = new Map(everyHost.map((host) => [host, quotaWork(host)]))
      const orders = rules.map(async ({ uuid }, index) => {
        for (const megabytes of [2, 3 + index]) {
          const ordered = await client.quotaRules.update(uuid, { limits: { spaceHard: megabytes * MiB } })
          expect(ordered.isOk()).toBe(true)
        }
      })
      const resizing = () => hosts.find((host) => quotaWork(host) > (before.get(host) ?? 0))
      await waitUntil(() => resizing() !== undefined)
      const victim = resizing()
      if (victim) await kill(victim)
      await Promise.all(orders)
      await vi.waitFor(async () => expect(await unfinished()).toBe(0), { timeout: 90_000, interval: 100 })
      expectSequential(everyHost, 'quotas')
      expect(hosts.some((host) => quotaWork(host) > (before.get(host) ?? 0))).toBe(true)
      const enforced = await sqlStorageRepositories(database).enforcedQuotas.list(volumeOf(rules))
      const spaces = new Map(enforced.map(({ rule, limits }) => [rule, limits.spaceHard]))
      expect(rules.map(({ uuid }) => spaces.get(uuid))).toEqual(rules.map((_, index) => (3 + index) * MiB))
      await startHost()
    })

    it('removes jobs some time after their end, also when one process is killed', async () => {
      expect(await count('storage_jobs')).toBeGreaterThan(0)
      const [victim] = hosts
      if (victim) await kill(victim)
      await vi.waitFor(async () => expect(await count('storage_jobs')).toBe(0), { timeout: 60_000, interval: 100 })
    })
  })
})

const volumeOf = ([rule]: readonly QuotaRule[]) => {
  if (rule === undefined) throw new Error('there is no rule')
  return rule.volume.uuid
}

async function waitUntil(condition: () => boolean): Promise<void> {
  await vi.waitUntil(condition, { timeout: 60_000, interval: 5 })
}

/** Expects that no two reported calls of the same work ran at the same time. */
function expectSequential(hosts: readonly Host[], prefix: string): void {
  const spans = hosts.flatMap(({ reported }, host) => {
    const open = new Map<string, bigint>()
    const closed: { readonly host: number; readonly work: string; readonly from: bigint; readonly to: bigint }[] = []
    for (const one of reported) {
      if (one.kind === 'begun') open.set(one.work, BigInt(one.at))
      if (one.kind !== 'ended') continue
      const from = open.get(one.work)
      if (from !== undefined) closed.push({ host, work: one.work, from, to: BigInt(one.at) })
    }
    return closed
  })
  const ordered = spans
    .filter(({ work }) => work.startsWith(prefix))
    .sort((one, other) => (one.from < other.from ? -1 : 1))
  expect(ordered.length).toBeGreaterThan(0)
  for (const [index, span] of ordered.entries()) {
    const next = ordered.slice(index + 1).find(({ work }) => work === span.work)
    if (next) expect(next.from).toBeGreaterThanOrEqual(span.to)
  }
}

/** Writes random content, of which a clone shares every block until it is split. */
function writeRandom(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  for (let written = 0; written < bytes; written += MiB) writeSync(file, randomBytes(MiB))
  fsyncSync(file)
  closeSync(file)
}
