import { type SimulatedVolume, simulatedVolume } from '@trivium/simulated-volumes'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it } from 'vitest'
import type { CloneTokenId } from '../src/clone-tokens/clone-token.ts'
import { everything } from '../src/query/query.ts'
import type { StorageRepositories } from '../src/storage-repositories.ts'
import { type CrashSimulation, createCrashSimulation } from './crash-simulation.ts'
import { createClock, createQtree, ended, MiB, type OpenStorage, openStorage, setQuota, until } from './open-storage.ts'

const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
const everyRecord = { query: everything, order: [], limit: 10_000 } as const

/** An operation of a client. Its answer, or the end of its job, may never come. */
interface Operation {
  readonly quotas: 'on' | 'off'
  readonly start: (open: OpenStorage) => Promise<unknown>
  /** Whether jobs end only when no split is left. */
  readonly splitsFirst?: boolean
}

const ruleOf = async ({ storage }: OpenStorage, qtree: string) => {
  const { records } = await storage.quotaRules.list(everyRecord)
  return records.find(({ target }) => target.type === 'tree' && target.qtree === qtree)?.uuid ?? ''
}

const operations: Readonly<Record<string, Operation>> = {
  'creating a qtree': { quotas: 'on', start: async ({ storage }) => storage.qtrees.create({ ...on, name: 'qt3' }) },
  'renaming a qtree': {
    quotas: 'on',
    start: async ({ storage, vol1 }) => storage.qtrees.update(vol1.uuid, 1, { name: 'qt4', unixPermissions: 700 }),
  },
  'removing a qtree': { quotas: 'on', start: async ({ storage, vol1 }) => storage.qtrees.delete(vol1.uuid, 1) },
  'adding a rule': {
    quotas: 'on',
    start: async ({ storage }) =>
      storage.quotaRules.create({ ...on, type: 'tree', qtree: 'qt2', limits: { spaceHard: 2 * MiB } }),
  },
  'changing a rule': {
    quotas: 'on',
    start: async (open) =>
      open.storage.quotaRules.update(await ruleOf(open, 'qt1'), { limits: { spaceHard: 3 * MiB } }),
  },
  'changing the default rule': {
    quotas: 'on',
    start: async (open) => open.storage.quotaRules.update(await ruleOf(open, ''), { limits: { spaceHard: 4 * MiB } }),
  },
  'deleting a rule': {
    quotas: 'on',
    start: async (open) => open.storage.quotaRules.delete(await ruleOf(open, 'qt1')),
  },
  'changing a rule while quotas are off': {
    quotas: 'off',
    start: async (open) =>
      open.storage.quotaRules.update(await ruleOf(open, 'qt1'), { limits: { spaceHard: 3 * MiB } }),
  },
  'switching quotas on': {
    quotas: 'off',
    start: async ({ storage, vol1 }) => storage.volumes.setQuota(vol1.uuid, true),
  },
  'switching quotas off': {
    quotas: 'on',
    start: async ({ storage, vol1 }) => storage.volumes.setQuota(vol1.uuid, false),
  },
  'cloning a file': {
    quotas: 'off',
    start: async ({ storage }) => storage.fileClones.create({ ...on, source: 'f', destination: 'c', split: true }),
  },
  'cloning a file that stays shared': {
    quotas: 'off',
    start: async ({ storage }) => storage.fileClones.create({ ...on, source: 'f', destination: 'c' }),
  },
  'cloning a directory': {
    quotas: 'off',
    start: async ({ storage }) => storage.fileClones.create({ ...on, source: 'd', destination: 'c' }),
  },
  'cloning a file whose split ends before the job': {
    quotas: 'off',
    splitsFirst: true,
    start: async ({ storage }) => storage.fileClones.create({ ...on, source: 'f', destination: 'c', split: true }),
  },
  'cloning over a file with a token, and the split ends before the job': {
    quotas: 'off',
    splitsFirst: true,
    start: async ({ storage }) => {
      const { records } = await storage.cloneTokens.list(everyRecord)
      const token = records[0]?.uuid ?? ''
      return storage.fileClones.create({ ...on, source: 'f', destination: 'kept', overwrite: true, token })
    },
  },
  'cloning a range with a token': {
    quotas: 'off',
    start: async ({ storage }) => {
      const { records } = await storage.cloneTokens.list(everyRecord)
      const token = records[0]?.uuid ?? ''
      return storage.fileClones.create({ ...on, source: 'f', destination: 'c', ranges: ['0:0:512'], token })
    },
  },
  'reserving a token': {
    quotas: 'off',
    start: async ({ storage }) => {
      const [node] = await storage.nodes.list()
      return storage.cloneTokens.create({ node: node?.uuid ?? '', reserveSize: MiB, lifetimeSeconds: 10 })
    },
  },
}

/** Creates two qtrees, one of them with a rule of its own, a default rule, two files, a directory and a token. */
async function prepare(open: OpenStorage, quotas: 'on' | 'off'): Promise<void> {
  for (const name of ['qt1', 'qt2']) await createQtree(open, name)
  for (const [qtree, spaceHard] of [
    ['qt1', MiB],
    ['', 8 * MiB],
  ] as const) {
    const rule = await open.storage.quotaRules.create({ ...on, type: 'tree', qtree, limits: { spaceHard } })
    if (rule.isOk()) await ended(open, rule.value.job)
    else await open.storage.quotaRules.update(await ruleOf(open, qtree), { limits: { spaceHard } })
  }
  open.volume.files.write('f', { size: 4 * MiB })
  open.volume.files.write('kept', { size: MiB })
  open.volume.files.makeDirectory('d')
  open.volume.files.write('d/inner', { size: MiB })
  const [node] = await open.storage.nodes.list()
  await open.storage.cloneTokens.create({ node: node?.uuid ?? '', reserveSize: 8 * MiB, lifetimeSeconds: 3600 })
  if (quotas === 'on') await setQuota(open, true)
}

/** Crashes a process at one of its calls, and lets another take over. @returns whether it reached that call */
async function crashAt(
  call: number,
  when: CrashSimulation['when'],
  { quotas, start, splitsFirst = false }: Operation,
): Promise<boolean> {
  const repositories = memoryStorageRepositories()
  const volume = simulatedVolume()
  const clock = createClock()
  const crash = createCrashSimulation(when)
  const { backend } = crash
  const first = await openStorage({
    repositories: crash.repositories(splitsFirst ? endingAfterSplits(repositories) : repositories),
    volume,
    backend,
    clock,
    lookSeconds: 3600,
    splitSliceSize: MiB,
  })
  try {
    await prepare(first, quotas)
    crash.crashAt(call)
    await Promise.race([crash.crashed, start(first).then(() => untilIdle(repositories))])
    const hasReachedCall = crash.hasCrashed()
    crash.crashNow()
    clock.advance(60)
    const next = await openStorage({ repositories, volume, clock })
    await untilIdle(repositories)
    await checkState(next, repositories, volume)
    expect(next.faults).toEqual([])
    await next.storage.close()
    return hasReachedCall
  } finally {
    crash.rejectPending()
    await first.storage.close()
  }
}

function endingAfterSplits(repositories: StorageRepositories): StorageRepositories {
  const { jobs, splits } = repositories
  return {
    ...repositories,
    jobs: {
      ...jobs,
      finish: async (...end) => {
        await until(async () => (await splits.status()).length === 0)
        return jobs.finish(...end)
      },
    },
  }
}

/** Waits until no job and no split is unfinished. */
const untilIdle = ({ jobs, splits }: StorageRepositories) =>
  until(async () => {
    const { records } = await jobs.list(everyRecord)
    return records.every(({ endedAt }) => endedAt) && (await splits.status()).length === 0
  })

/** Checks the state that holds after a crash at any call. */
async function checkState(open: OpenStorage, repositories: StorageRepositories, volume: SimulatedVolume) {
  const { used } = await volume.space()
  const jobs = (await repositories.jobs.list(everyRecord)).records
  expect(jobs.filter(({ state }) => state === 'failure')).toEqual([])
  const ofVolume = ({ volume: { uuid } }: { readonly volume: { readonly uuid: string } }) => uuid === open.vol1.uuid
  const qtrees = (await repositories.qtrees.list(everyRecord)).records
    .filter(ofVolume)
    .filter(({ name }) => name !== '')
  expect(qtrees.map(({ name }) => name).toSorted()).toEqual((await volume.listQtrees()).toSorted())
  const ids = new Map(qtrees.map(({ name, id }) => [name, id]))
  const rules = (await repositories.quotaRules.list(everyRecord)).records
  for (const { target, qtreeId } of rules) {
    if (target.qtree)
      expect({ qtree: target.qtree, qtreeId }).toEqual({ qtree: target.qtree, qtreeId: ids.get(target.qtree) })
  }
  const { quotaState } = (await open.storage.volumes.find(open.vol1.uuid))._unsafeUnwrap()
  const enforced = await repositories.enforcedQuotas.list(open.vol1.uuid)
  expect(quotaState).toMatch(/^(on|off)$/)
  const wanted = rules.map(({ uuid, target, limits }) => ({ rule: uuid, target, limits }))
  if (quotaState === 'off') expect(enforced).toEqual([])
  else expect(enforced.toSorted(byRule)).toEqual(wanted.toSorted(byRule))
  const defaultLimit = wanted.find(({ target }) => target.qtree === '')?.limits.spaceHard
  for (const { name } of qtrees) {
    const limit = Number(wanted.find(({ target }) => target.qtree === name)?.limits.spaceHard ?? defaultLimit ?? 0)
    const write = (size: number) => () => volume.files.write(`${name}/probe`, { size, offset: 0 })
    expect(write(limit)).not.toThrow()
    if (quotaState === 'on') expect(write(limit + MiB)).toThrow()
    else expect(write(limit + MiB)).not.toThrow()
  }
  const [load] = await open.storage.nodes.splitLoads()
  const tokens = (await open.storage.cloneTokens.list(everyRecord)).records
  const reserved = tokens.reduce((sum, { reserveSize }) => sum + reserveSize, 0)
  expect(load).toMatchObject({ current: 0, tokenReserved: reserved })
  const clones = jobs.flatMap(({ task }) => (task.kind === 'clone-file' ? task : []))
  for (const { token, source, destination, ranges, splits } of clones) {
    if (source === 'd') {
      expect(volume.files.contents(`${destination}/inner`)).toBe(volume.files.contents('d/inner'))
      expect({ used, reserved }).toEqual({ used: 6 * MiB, reserved: 8 * MiB })
      continue
    }
    const size = ranges ? 2 * MiB : 4 * MiB
    const copied = splits ? size : 0
    expect(await volume.file(destination)).toMatchObject({ kind: 'file', size })
    expect(reserved).toBe(token === (tokens[0]?.uuid as CloneTokenId) ? 8 * MiB - size : 8 * MiB) // ids are opaque here
    expect(used).toBe(5 * MiB + copied + (destination === 'kept' ? 0 : MiB))
  }
  if (clones.length === 0) expect({ reserved, made: await volume.file('c') }).toEqual({ reserved: 8 * MiB })
}

const byRule = (one: { readonly rule: string }, other: { readonly rule: string }) => (one.rule < other.rule ? -1 : 1)

describe.each(Object.entries(operations))(
  'a process that crashes while it is %s',
  { timeout: 120_000 },
  (_, operation) => {
    it.each(['before', 'after'] as const)('leaves nothing half done, directly %s any of its calls', async (when) => {
      let call = 1
      while (await crashAt(call, when, operation)) call += 1
      expect(call).toBeGreaterThan(2)
    })
  },
)
