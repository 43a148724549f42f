import { simulatedVolume } from '@trivium/simulated-volumes'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it } from 'vitest'
import type { Notice } from '../src/notices/notice.ts'
import type { CreateQuotaRule } from '../src/quota-rules/quota-rules.ts'
import type { VolumeBackend } from '../src/volumes/volume-backend.ts'
import { createCrashSimulation } from './crash-simulation.ts'
import {
  createQtree,
  ended,
  MiB,
  type OpenStorage,
  type OpenStorageOptions,
  openStorage,
  setQuota,
  stateOf,
  until,
} from './open-storage.ts'

const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
const limits = { spaceHard: 10 * MiB, spaceSoft: 5 * MiB }

type Rule = Omit<CreateQuotaRule, 'svm' | 'volume'>

/** Opens a volume with the qtree qt1 and enforced rules, and compares the usage often. */
async function open(rules: readonly Rule[], options: OpenStorageOptions = {}): Promise<OpenStorage> {
  const opened = await openStorage({ usageSeconds: 0.005, inspectSeconds: 0.01, ...options })
  await createQtree(opened, 'qt1')
  for (const rule of rules) await createRule(opened, rule)
  await setQuota(opened, true)
  return opened
}

async function createRule(opened: OpenStorage, rule: Rule) {
  const created = (await opened.storage.quotaRules.create({ ...on, ...rule }))._unsafeUnwrap()
  await ended(opened, created.job)
  return created.rule
}

const tree = (rule: Partial<Rule> = {}): Rule => ({
  type: 'tree',
  qtree: 'qt1',
  limits,
  gracePeriodSeconds: 60,
  ...rule,
})

const eventNames = ({ emitted }: OpenStorage) =>
  emitted.map(([name]) => name).filter((name) => /^quota\.(soft|threshold|grace|enforcement|limits)/.test(name))

const has = (opened: OpenStorage, name: string, count = 1) =>
  until(() => eventNames(opened).filter((one) => one === name).length >= count)

function notices({ emitted }: OpenStorage): readonly Notice[] {
  return emitted.flatMap(([name, , notice]) => (/threshold|grace|enforcement/.test(name) ? [notice as Notice] : []))
}

/** Whether a write of that many MiB is refused. It is undone. */
function refuses({ volume }: OpenStorage, path: string, mebibytes: number, user?: string): boolean {
  try {
    volume.files.write(path, { size: mebibytes * MiB, ...(user !== undefined && { user }) })
    return false
  } catch {
    return true
  } finally {
    volume.files.remove(path)
  }
}

const reportsOf = async ({ storage, vol1 }: OpenStorage) =>
  (await storage.quotaReports.ofVolume((await storage.volumes.find(vol1.uuid))._unsafeUnwrap()))._unsafeUnwrap()

async function exceedAndEnd(opened: OpenStorage): Promise<void> {
  opened.volume.files.write('qt1/data', { size: 8 * MiB })
  await has(opened, 'quota.soft-limit-exceeded')
  opened.clock.advance(60)
  await has(opened, 'quota.grace-ended')
  await until(() => refuses(opened, 'qt1/more', 1))
}

describe('the watch of grace periods', () => {
  it('enforces a soft limit as hard after the grace period, until the usage is at or below it', async () => {
    const opened = await open([tree()])
    opened.volume.files.write('qt1/data', { size: 8 * MiB })
    await has(opened, 'quota.soft-limit-exceeded')
    opened.clock.advance(59)
    expect(refuses(opened, 'qt1/more', 1)).toBe(false)
    opened.clock.advance(1)
    await has(opened, 'quota.grace-ended')
    await until(() => refuses(opened, 'qt1/more', 1))
    opened.volume.files.remove('qt1/data')
    await until(() => !refuses(opened, 'qt1/more', 8))
    expect(eventNames(opened)).toEqual(['quota.soft-limit-exceeded', 'quota.grace-ended', 'quota.soft-limit-normal'])
    expect(opened.faults).toEqual([])
  })

  it('sees no lost limit where a grace period has lowered one', async () => {
    let inspections = 0
    const counting = (one: ReturnType<typeof simulatedVolume>): VolumeBackend => ({
      ...one,
      inspect: (expected) => {
        inspections += 1
        return one.inspect(expected)
      },
    })
    const opened = await open([tree()], { backend: counting })
    await exceedAndEnd(opened)
    const before = inspections
    await until(() => inspections > before + 3)
    expect(await stateOf(opened, opened.vol1)).toBe('on')
    expect(opened.emitted.filter(([name]) => name === 'quota.limits-restored')).toEqual([])
    expect(refuses(opened, 'qt1/more', 1)).toBe(true)
  })

  it('keeps an ended grace period after quotas were off, after a resize and after a rename of the qtree', async () => {
    const opened = await open([tree()])
    await exceedAndEnd(opened)
    await setQuota(opened, false)
    expect(refuses(opened, 'qt1/more', 1)).toBe(false)
    await setQuota(opened, true)
    expect(refuses(opened, 'qt1/more', 1)).toBe(true)
    const { records } = await opened.storage.quotaRules.list({ query: { all: [] }, order: [], limit: 10 })
    const rule = records.find(({ target }) => target.qtree === 'qt1')
    const change = { limits: { spaceHard: 20 * MiB, spaceSoft: 6 * MiB } }
    const updated = (await opened.storage.quotaRules.update(rule?.uuid ?? '', change))._unsafeUnwrap()
    expect((await ended(opened, updated.job)).state).toBe('success')
    expect(refuses(opened, 'qt1/more', 1)).toBe(true)
    const renamed = await opened.storage.qtrees.update(opened.vol1.uuid, 1, { name: 'qt9' })
    await ended(opened, renamed._unsafeUnwrap().job)
    expect(refuses(opened, 'qt9/more', 1)).toBe(true)
    expect(eventNames(opened).filter((name) => name === 'quota.grace-ended')).toHaveLength(1)
  })

  it('ends the enforcement when the rule gets a higher soft limit or no grace period', async () => {
    const opened = await open([tree()])
    await exceedAndEnd(opened)
    const [rule] = (await opened.storage.quotaRules.list({ query: { all: [] }, order: [], limit: 10 })).records.filter(
      ({ target }) => target.qtree === 'qt1',
    )
    const update = async (change: Parameters<typeof opened.storage.quotaRules.update>[1]) =>
      ended(opened, (await opened.storage.quotaRules.update(rule?.uuid ?? '', change))._unsafeUnwrap().job)
    await update({ gracePeriodSeconds: null })
    await until(() => !refuses(opened, 'qt1/more', 1))
    await update({ gracePeriodSeconds: 60 })
    opened.clock.advance(60)
    expect(refuses(opened, 'qt1/more', 1)).toBe(false)
    await until(async () =>
      (await opened.repositories.limitStates.list(opened.vol1.uuid)).some((s) => s.graceStartedAt),
    )
    opened.clock.advance(60)
    await until(() => refuses(opened, 'qt1/more', 1))
    await update({ limits: { spaceSoft: 9 * MiB } })
    await until(() => !refuses(opened, 'qt1/more', 2))
  })

  it('has nothing left to do when the job ends that removed a grace period', async () => {
    const opened = await open([tree()])
    await exceedAndEnd(opened)
    const { records } = await opened.storage.quotaRules.list({ query: { all: [] }, order: [], limit: 10 })
    const rule = records.find(({ gracePeriodSeconds }) => gracePeriodSeconds !== undefined)
    await opened.storage.close()
    const { repositories, volume, clock } = opened
    // The usage is compared once, at the start.
    const next = await openStorage({ repositories, volume, clock, usageSeconds: 3600, inspectSeconds: 3600 })
    const atEnd: boolean[] = []
    next.storage.events.on('job.ended', () => atEnd.push(refuses(next, 'qt1/more', 1)))
    const changed = await next.storage.quotaRules.update(rule?.uuid ?? '', { gracePeriodSeconds: null })
    await ended(next, changed._unsafeUnwrap().job)
    expect(atEnd[0]).toBe(false)
    const states = await repositories.limitStates.list(next.vol1.uuid)
    expect(states).toMatchObject([{ exceededSince: expect.any(Date) }])
    expect(states[0]).not.toHaveProperty('graceEndedAt')
  })

  it('continues after a restart, also with a grace period that has ended', async () => {
    const opened = await open([tree()])
    opened.volume.files.write('qt1/data', { size: 8 * MiB })
    await has(opened, 'quota.soft-limit-exceeded')
    await opened.storage.close()
    const { repositories, volume, clock } = opened
    clock.advance(60)
    const options = { repositories, volume, clock, usageSeconds: 0.005, inspectSeconds: 0.01 }
    const second = await openStorage(options)
    await has(second, 'quota.grace-ended')
    await until(() => refuses(second, 'qt1/more', 1))
    await second.storage.close()
    volume.host.disableQuotas()
    const third = await openStorage(options)
    await until(() => refuses(third, 'qt1/more', 1))
    volume.files.remove('qt1/data')
    await until(() => !refuses(third, 'qt1/more', 8))
    expect(eventNames(third)).toEqual(['quota.soft-limit-normal'])
  })

  it('gives each user of a default rule a grace period of its own', async () => {
    const opened = await open([
      { type: 'user', users: [{ name: '' }], limits, gracePeriodSeconds: 60 },
      { type: 'user', users: [{ name: 'ann' }], limits: { spaceHard: 20 * MiB } },
    ])
    opened.volume.files.makeDirectory('home', {})
    for (const user of ['sam', 'smith', 'ann'])
      opened.volume.files.write(`home/${user}`, { size: (user === 'smith' ? 4 : 8) * MiB, user })
    await has(opened, 'quota.soft-limit-exceeded')
    opened.clock.advance(60)
    await until(() => refuses(opened, 'home/more', 1, 'sam'))
    expect(refuses(opened, 'home/more', 2, 'smith')).toBe(false)
    expect(refuses(opened, 'home/more', 10, 'ann')).toBe(false)
    expect(notices(opened)).toMatchObject([
      { kind: 'grace-ended', target: { kind: 'every-user' }, principal: { id: '1001', name: 'sam' } },
    ])
    opened.volume.files.remove('home/sam')
    await until(() => !refuses(opened, 'home/more', 8, 'sam'))
    expect(refuses(opened, 'home/more', 11, 'sam')).toBe(true)
    const left = async () => (await opened.repositories.limitStates.list(opened.vol1.uuid)).length
    await until(async () => (await left()) === 0)
  })

  it('gives a user the limit of a rule that is added for the user', async () => {
    const opened = await open([{ type: 'user', users: [{ name: '' }], limits, gracePeriodSeconds: 60 }])
    opened.volume.files.makeDirectory('home', {})
    opened.volume.files.write('home/sam', { size: 8 * MiB, user: 'sam' })
    await has(opened, 'quota.soft-limit-exceeded')
    opened.clock.advance(60)
    await until(() => refuses(opened, 'home/more', 1, 'sam'))
    await createRule(opened, { type: 'user', users: [{ name: 'sam' }], limits: { spaceHard: 12 * MiB } })
    await has(opened, 'quota.soft-limit-normal')
    await until(async () => (await opened.repositories.limitStates.list(opened.vol1.uuid)).length === 0)
    await until(() => !refuses(opened, 'home/more', 4, 'sam'))
    expect(refuses(opened, 'home/more', 5, 'sam')).toBe(true)
  })

  it('applies the grace period of the volume to rules without one', async () => {
    const { gracePeriodSeconds: _, ...rule } = tree()
    const opened = await open([rule])
    const set = async (seconds: number | null) =>
      expect((await opened.storage.volumes.setGracePeriod(opened.vol1.uuid, seconds))._unsafeUnwrap().state).toBe(
        'success',
      )
    opened.volume.files.write('qt1/data', { size: 8 * MiB })
    await has(opened, 'quota.soft-limit-exceeded')
    opened.clock.advance(1000)
    await set(30)
    await until(async () =>
      (await opened.repositories.limitStates.list(opened.vol1.uuid)).some((s) => s.graceStartedAt),
    )
    expect(refuses(opened, 'qt1/more', 1)).toBe(false)
    opened.clock.advance(30)
    await until(() => refuses(opened, 'qt1/more', 1))
    await set(null)
    await until(() => !refuses(opened, 'qt1/more', 1))
  })

  it('refuses a grace period that the file system cannot enforce, and only notifies where it is that of the volume', async () => {
    const withoutFiles = (one: ReturnType<typeof simulatedVolume>): VolumeBackend => ({
      ...one,
      unsupported: async (all) =>
        all.flatMap(({ target, limits: { filesHard } }) =>
          filesHard === undefined ? [] : [{ target, limits: ['filesHard'], reason: 'it counts no files' } as const],
        ),
    })
    const opened = await open([], { backend: withoutFiles })
    const rule = tree({ limits: { filesSoft: 1 } })
    const refused = await opened.storage.quotaRules.create({ ...on, ...rule })
    expect(refused._unsafeUnwrapErr()).toEqual({
      type: 'quota-unsupported',
      message: 'The volume cannot enforce the soft file limit of qtree "qt1" (it counts no files).',
    })
    await setQuota(opened, false)
    const { gracePeriodSeconds: _, ...notifying } = rule
    await createRule(opened, notifying)
    await setQuota(opened, true)
    ;(await opened.storage.volumes.setGracePeriod(opened.vol1.uuid, 1))._unsafeUnwrap()
    opened.volume.files.write('qt1/a', { size: 1 })
    await has(opened, 'quota.soft-limit-exceeded')
    const report = (await reportsOf(opened)).find(({ type, isDefault }) => type === 'tree' && !isDefault)
    expect(report?.watched.files?.grace).toEqual({ periodSeconds: 1, enforcedBy: 'none', hasEnded: false })
  })

  it('shows grace periods and thresholds in reports', async () => {
    const opened = await open([tree({ thresholds: [95, 50] })])
    const started = opened.clock.now()
    opened.volume.files.write('qt1/data', { size: 8 * MiB })
    await has(opened, 'quota.threshold-exceeded')
    const space = async () => (await reportsOf(opened)).find(({ isDefault }) => !isDefault)?.watched.space
    const grace = {
      periodSeconds: 60,
      enforcedBy: 'watcher',
      startedAt: started,
      endsAt: new Date(started.getTime() + 60_000),
      hasEnded: false,
    }
    const watched = { exceededSince: started, grace, thresholds: [50, 95], reachedThresholds: [50] }
    await until(async () => (await space())?.exceededSince !== undefined)
    expect(await space()).toEqual(watched)
    opened.clock.advance(60)
    await has(opened, 'quota.grace-ended')
    await until(async () => (await space())?.grace?.hasEnded === true)
    const limit = (await reportsOf(opened)).find(({ isDefault }) => !isDefault)?.limits
    expect(limit).toEqual(limits)
  })
})

describe('the notices of the watch', () => {
  it('contain all facts, and ids that differ for each occurrence', async () => {
    const opened = await open([tree({ thresholds: [80, 50] })])
    const write = async (mebibytes: number, name: string, count: number) => {
      opened.volume.files.write('qt1/data', { size: mebibytes * MiB })
      await has(opened, name, count)
    }
    await write(6, 'quota.threshold-exceeded', 1)
    expect(notices(opened)[0]).toEqual({
      id: expect.stringMatching(/^threshold-exceeded\/[0-9a-f]{32}\/\d+\/50$/),
      kind: 'threshold-exceeded',
      at: opened.clock.now(),
      svm: opened.vol1.svm,
      volume: { uuid: opened.vol1.uuid, name: 'vol1' },
      rule: expect.any(String),
      target: { kind: 'tree', qtree: 'qt1' },
      limit: 'spaceHard',
      percent: 50,
      used: 6 * MiB,
      allowed: 10 * MiB,
    })
    await write(3, 'quota.threshold-exceeded', 2)
    opened.volume.files.remove('qt1/data')
    await has(opened, 'quota.threshold-normal', 2)
    opened.clock.advance(1)
    await write(9, 'quota.threshold-exceeded', 4)
    const ids = notices(opened).map(({ id }) => id)
    expect(new Set(ids).size).toBe(6)
    expect(ids.every((id) => id.length <= 128)).toBe(true)
  })

  it('report the loss of enforcement and its return once', async () => {
    const opened = await open([tree()])
    opened.volume.host.disableQuotas()
    await has(opened, 'quota.enforcement-lost')
    await until(async () => (await stateOf(opened, opened.vol1)) === 'corrupt')
    opened.volume.host.unmount()
    await until(() => opened.emitted.some(([name]) => name === 'volume.state-changed'))
    opened.volume.host.mount()
    opened.volume.host.enableQuotas()
    await has(opened, 'quota.enforcement-restored')
    expect(notices(opened).map(({ kind }) => kind)).toEqual(['enforcement-lost', 'enforcement-restored'])
    expect(notices(opened)[0]?.reason).toMatch(/\.$/)
    expect(opened.faults).toEqual([])
  })

  it.each(['before', 'after'] as const)('keep their ids when the process ends %s the state is stored', async (when) => {
    const repositories = memoryStorageRepositories()
    const volume = simulatedVolume()
    const crash = createCrashSimulation(when)
    const opened = await open([tree({ thresholds: [50] })], {
      repositories: { ...repositories, limitStates: crash.repositories(repositories).limitStates },
      volume,
    })
    const { limitStates } = repositories
    const replaced = limitStates.replace.bind(limitStates)
    let calls = 0
    // The state is stored by the first replacement.
    limitStates.replace = async (...of) => {
      calls += 1
      if (calls > 1) return replaced(...of)
      crash.crashNow()
      if (when === 'after') await replaced(...of)
      throw new Error('died')
    }
    volume.files.write('qt1/data', { size: 6 * MiB })
    await crash.crashed
    const before = notices(opened).map(({ id }) => id)
    expect(before).toHaveLength(1)
    crash.rejectPending()
    await opened.storage.close()
    const next = await openStorage({ repositories, volume, clock: opened.clock, usageSeconds: 0.005 })
    if (when === 'before') await has(next, 'quota.threshold-exceeded')
    await until(async () => (await limitStates.list(opened.vol1.uuid)).some(({ thresholds }) => thresholds.length > 0))
    expect(notices(next).map(({ id }) => id)).toEqual(when === 'before' ? before : [])
  })

  it('get the same ids from both processes of a volume', async () => {
    const opened = await open([tree({ thresholds: [50] })])
    const { repositories, volume, clock } = opened
    const other = await openStorage({ repositories, volume, clock, usageSeconds: 0.005, inspectSeconds: 0.01 })
    opened.volume.files.write('qt1/data', { size: 8 * MiB })
    const stored = () => repositories.limitStates.list(opened.vol1.uuid)
    await until(async () => (await stored()).some(({ thresholds }) => thresholds.length > 0))
    clock.advance(60)
    await until(() => refuses(opened, 'qt1/more', 1))
    const ids = [...notices(opened), ...notices(other)].map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    volume.files.remove('qt1/data')
    await until(() => !refuses(opened, 'qt1/more', 8))
    expect(await stateOf(opened, opened.vol1)).toBe('on')
  })
})
