import { describe, expect, it } from 'vitest'
import type { QuotaRule } from '../src/quota-rules/quota-rule.ts'
import type { CreateQuotaRule } from '../src/quota-rules/quota-rules.ts'
import type { VolumeBackend } from '../src/volumes/volume-backend.ts'
import { VolumeRefusal } from '../src/volumes/volume-refusal.ts'
import { createQtree, ended, MiB, type OpenStorage, openStorage, setQuota, stateOf, until } from './open-storage.ts'

const vol1 = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

async function create(open: OpenStorage, request: Omit<CreateQuotaRule, 'svm' | 'volume'>) {
  const { rule, job } = (await open.storage.quotaRules.create({ ...vol1, ...request }))._unsafeUnwrap()
  return { rule, job: await ended(open, job) }
}

async function update(open: OpenStorage, { uuid }: QuotaRule, spaceHard: number | null) {
  const { job } = (await open.storage.quotaRules.update(uuid, { limits: { spaceHard } }))._unsafeUnwrap()
  return ended(open, job)
}

async function remove(open: OpenStorage, { uuid }: QuotaRule) {
  return ended(open, (await open.storage.quotaRules.delete(uuid))._unsafeUnwrap().job)
}

const fits = ({ volume }: OpenStorage, path: string, size: number, user = 'sam'): boolean => {
  try {
    volume.files.write(path, { size, user, group: 'staff' })
    return true
  } catch (error) {
    if (error instanceof VolumeRefusal) return false
    throw error
  } finally {
    volume.files.remove(path)
  }
}

describe('while quotas are off', () => {
  it('rules are stored and not enforced', async () => {
    const open = await openStorage()
    await createQtree(open, 'qt1')
    const { rule, job } = await create(open, { type: 'tree', qtree: 'qt1', limits: { spaceHard: MiB } })
    expect(job).toMatchObject({ state: 'success', description: 'resize-quota' })
    expect(fits(open, 'qt1/f', 4 * MiB)).toBe(true)
    await update(open, rule, 2 * MiB)
    expect(fits(open, 'qt1/f', 4 * MiB)).toBe(true)
    expect(await open.repositories.enforcedQuotas.list(open.vol1.uuid)).toEqual([])
    expect(await stateOf(open, open.vol1)).toBe('off')
  })
})

describe('switching quotas on', () => {
  it('scans, and then enforces the rules', async () => {
    const open = await openStorage()
    await createQtree(open, 'qt1')
    await create(open, { type: 'tree', qtree: 'qt1', limits: { spaceHard: MiB } })
    expect(await setQuota(open, true)).toMatchObject({ state: 'success', progress: { total: 1 } })
    expect(fits(open, 'qt1/f', 4 * MiB)).toBe(false)
    expect(fits(open, 'qt1/f', MiB / 2)).toBe(true)
    const states = open.emitted.flatMap(([name, , state]) => (name === 'quota.state-changed' ? [state] : []))
    expect(states).toEqual(['initializing', 'on'])
  })

  it('changes nothing when quotas already are on', async () => {
    const open = await openStorage()
    await setQuota(open, true)
    expect(await setQuota(open, true)).toMatchObject({ state: 'success' })
    expect(open.emitted.filter(([name]) => name === 'quota.state-changed')).toHaveLength(2)
  })

  it('fails, and leaves quotas off, when the file system cannot enforce a rule', async () => {
    const open = await openStorage({
      backend: (volume) => ({
        ...volume,
        unsupported: async (limits) =>
          limits.flatMap(({ target, limits: { filesHard } }) =>
            filesHard === undefined ? [] : [{ target, limits: ['filesHard'], reason: 'btrfs has no file limits' }],
          ),
      }),
    })
    const { error } = (
      await open.storage.quotaRules
        .create({ ...vol1, type: 'tree', qtree: 'qt1', limits: { filesHard: 7 } })
        .mapErr((refusal) => ({ error: refusal }))
    )._unsafeUnwrapErr()
    expect(error).toEqual({
      type: 'quota-unsupported',
      message: 'The volume cannot enforce the hard file limit of qtree "qt1" (btrfs has no file limits).',
    })
    expect(await open.storage.quotaRules.count({ all: [] })).toBe(0)
    await createQtree(open, 'qt1')
    await open.repositories.quotaRules.add({
      uuid: 'rule' as QuotaRule['uuid'],
      svm: open.vol1.svm,
      volume: open.vol1,
      target: { type: 'tree', qtree: 'qt1' },
      limits: { filesHard: 7 },
    })
    expect(await setQuota(open, true)).toMatchObject({ state: 'failure', failure: { type: 'quota-unsupported' } })
    expect(await stateOf(open, open.vol1)).toBe('off')
  })

  it('leaves quotas off when it is cancelled while it is paused', async () => {
    const open = await openStorage({
      leaseSeconds: 0.2,
      backend: (volume) => ({
        ...volume,
        enableQuota: (_, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      }),
    })
    const { jobs, volumes } = open.storage
    const scan = (await volumes.setQuota(open.vol1.uuid, true))._unsafeUnwrap()
    await until(async () => (await stateOf(open, open.vol1)) === 'initializing')
    expect((await volumes.setQuota(open.vol1.uuid, true))._unsafeUnwrap().uuid).toBe(scan.uuid)
    ;(await jobs.pause(scan.uuid))._unsafeUnwrap()
    await until(async () => (await jobs.find(scan.uuid))._unsafeUnwrap().state === 'paused')
    ;(await jobs.cancel(scan.uuid))._unsafeUnwrap()
    expect(await stateOf(open, open.vol1)).toBe('off')
  })

  it('leaves quotas off when it is cancelled, and waits while it is paused', async () => {
    const hold = new AbortController()
    const open = await openStorage({
      leaseSeconds: 0.2,
      backend: (volume) => ({
        ...volume,
        enableQuota: async (limits, { signal, onProgress }) => {
          onProgress?.(1, 2)
          await new Promise<void>((resolve, reject) => {
            if (hold.signal.aborted) resolve()
            hold.signal.addEventListener('abort', () => resolve())
            signal.addEventListener('abort', () => reject(signal.reason))
          })
          await volume.enableQuota(limits, { signal })
        },
      }),
    })
    const { jobs, volumes } = open.storage
    const first = (await volumes.setQuota(open.vol1.uuid, true))._unsafeUnwrap()
    const running = async () => (await jobs.find(first.uuid))._unsafeUnwrap()
    await until(async () => (await running()).progress !== undefined)
    expect(await stateOf(open, open.vol1)).toBe('initializing')
    ;(await jobs.pause(first.uuid))._unsafeUnwrap()
    await until(async () => (await running()).state === 'paused')
    expect(await stateOf(open, open.vol1)).toBe('initializing')
    ;(await jobs.resume(first.uuid))._unsafeUnwrap()
    await until(async () => (await running()).state === 'running')
    ;(await jobs.cancel(first.uuid))._unsafeUnwrap()
    expect(await ended(open, first)).toMatchObject({ state: 'failure', failure: { type: 'cancelled' } })
    expect(await stateOf(open, open.vol1)).toBe('off')
    const second = (await volumes.setQuota(open.vol1.uuid, true))._unsafeUnwrap()
    await until(async () => (await stateOf(open, open.vol1)) === 'initializing')
    hold.abort()
    expect(await ended(open, second)).toMatchObject({ state: 'success' })
    expect((await jobs.cancel(second.uuid))._unsafeUnwrapErr()).toMatchObject({ type: 'job-ended' })
    expect(open.faults).toEqual([])
  })
})

describe('switching quotas off', () => {
  it('ends the enforcement of rules', async () => {
    const open = await openStorage()
    await create(open, { type: 'user', users: [{ name: '' }], limits: { spaceHard: MiB } })
    await setQuota(open, true)
    expect(fits(open, 'f', 2 * MiB)).toBe(false)
    await setQuota(open, false)
    expect(fits(open, 'f', 2 * MiB)).toBe(true)
    expect(await stateOf(open, open.vol1)).toBe('off')
    expect(await open.repositories.enforcedQuotas.list(open.vol1.uuid)).toEqual([])
  })

  it('cancels a running scan', async () => {
    const open = await openStorage({
      leaseSeconds: 0.2,
      backend: (volume) => ({
        ...volume,
        enableQuota: (_, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      }),
    })
    const scan = (await open.storage.volumes.setQuota(open.vol1.uuid, true))._unsafeUnwrap()
    await until(async () => (await stateOf(open, open.vol1)) === 'initializing')
    expect(await setQuota(open, false)).toMatchObject({ state: 'success' })
    expect(await ended(open, scan)).toMatchObject({ failure: { type: 'cancelled' } })
    expect(await stateOf(open, open.vol1)).toBe('off')
  })
})

describe('while quotas are on', () => {
  const openOn = async (backend?: (volume: VolumeBackend) => VolumeBackend) => {
    const open = await openStorage(backend ? { backend } : {})
    for (const name of ['qt1', 'qt2']) await createQtree(open, name)
    const { rule } = await create(open, { type: 'tree', qtree: 'qt1', limits: { spaceHard: 2 * MiB } })
    await setQuota(open, true)
    return { open, rule }
  }

  it('a changed limit is enforced when its job ends', async () => {
    const { open, rule } = await openOn()
    expect(await update(open, rule, 8 * MiB)).toMatchObject({ state: 'success' })
    expect(fits(open, 'qt1/f', 4 * MiB)).toBe(true)
    expect(fits(open, 'qt1/f', 9 * MiB)).toBe(false)
    await update(open, rule, null)
    expect(fits(open, 'qt1/f', 9 * MiB)).toBe(true)
    expect(await stateOf(open, open.vol1)).toBe('on')
  })

  it('an explicit rule is enforced by a resize when a default rule of its type is enforced', async () => {
    const { open } = await openOn()
    const { job } = await create(open, { type: 'tree', qtree: 'qt2', limits: { spaceHard: MiB } })
    expect(job).toMatchObject({ state: 'success' })
    expect(fits(open, 'qt2/f', 2 * MiB)).toBe(false)
  })

  it('the first rule of a type is stored, and enforced only after quotas are switched off and on', async () => {
    const { open } = await openOn()
    const { rule, job } = await create(open, { type: 'user', users: [{ name: 'sam' }], limits: { spaceHard: MiB } })
    expect(job).toMatchObject({ state: 'failure', failure: { type: 'rule-created-resize-skipped' } })
    expect((await open.storage.quotaRules.find(rule.uuid))._unsafeUnwrap()).toEqual(rule)
    expect(await open.storage.quotaRules.count({ all: [] })).toBe(4)
    expect(fits(open, 'f', 2 * MiB)).toBe(true)
    expect(await update(open, rule, 4 * MiB)).toMatchObject({ failure: { type: 'rule-modified-not-resized' } })
    await setQuota(open, false)
    await setQuota(open, true)
    expect(fits(open, 'f', 3 * MiB)).toBe(true)
    expect(fits(open, 'f', 5 * MiB)).toBe(false)
    const second = await create(open, { type: 'user', users: [{ name: 'ann' }], limits: { spaceHard: MiB } })
    expect(second.job).toMatchObject({ state: 'success' })
    expect(fits(open, 'f', 2 * MiB, 'ann')).toBe(false)
  })

  it('the default rule applies after the deletion of an explicit rule', async () => {
    const { open, rule } = await openOn()
    expect(await remove(open, rule)).toMatchObject({ state: 'success' })
    expect(fits(open, 'qt1/f', 4 * MiB)).toBe(true)
    expect((await open.storage.quotaRules.find(rule.uuid)).isErr()).toBe(true)
  })

  it('a deleted default rule stays enforced until a new default rule replaces it', async () => {
    const open = await openStorage()
    await createQtree(open, 'qt1')
    const { rule } = await create(open, { type: 'tree', qtree: '', limits: { spaceHard: MiB } })
    await setQuota(open, true)
    expect(await remove(open, rule)).toMatchObject({ failure: { type: 'rule-deleted-still-enforced' } })
    expect(await open.storage.quotaRules.count({ all: [] })).toBe(0)
    expect(fits(open, 'qt1/f', 2 * MiB)).toBe(false)
    const again = await create(open, { type: 'tree', qtree: '', limits: { spaceHard: 4 * MiB } })
    expect(again.job).toMatchObject({ state: 'success' })
    expect(fits(open, 'qt1/f', 2 * MiB)).toBe(true)
    expect(fits(open, 'qt1/f', 5 * MiB)).toBe(false)
  })

  it('user rules can be replaced by one rule that the users share', async () => {
    const open = await openStorage()
    for (const name of ['sam', 'ann'])
      await create(open, { type: 'user', users: [{ name }], limits: { spaceHard: 8 * MiB } })
    await setQuota(open, true)
    const { records } = await open.storage.quotaRules.list({ query: { all: [] }, order: [], limit: 9 })
    for (const rule of records) if (rule.limits.spaceHard) await remove(open, rule)
    const users = [{ name: 'sam' }, { name: 'ann' }]
    const { job } = await create(open, { type: 'user', users, limits: { spaceHard: 3 * MiB } })
    expect(job).toMatchObject({ state: 'success' })
    open.volume.files.write('a', { size: 2 * MiB, user: 'ann' })
    expect(fits(open, 'f', 2 * MiB, 'sam')).toBe(false)
  })

  it.each([
    ['created', 'rule-created-not-resized'],
    ['modified', 'rule-modified-not-resized'],
    ['deleted', 'rule-deleted-not-resized'],
  ] as const)('a rule stays %s when the file system refuses the resize, and the job fails', async (cause, type) => {
    const { open, rule } = await openOn((volume) => ({
      ...volume,
      changeLimits: async () => {
        throw new VolumeRefusal('not-permitted', 'setquota needs root')
      },
    }))
    const job =
      cause === 'created'
        ? (await create(open, { type: 'tree', qtree: 'qt2', limits: { spaceHard: MiB } })).job
        : cause === 'modified'
          ? await update(open, rule, 4 * MiB)
          : await remove(open, rule)
    expect(job).toMatchObject({ state: 'failure', failure: { type, message: 'setquota needs root' } })
    expect(await stateOf(open, open.vol1)).toBe('on')
    const kept = await open.storage.quotaRules.count({ all: [] })
    expect(kept).toBe(cause === 'created' ? 3 : cause === 'modified' ? 2 : 1)
    expect(fits(open, 'qt1/f', 3 * MiB)).toBe(false)
    expect(open.faults).toEqual([])
  })

  it('a new qtree gets the default limit, a renamed one keeps its limit, and a deleted one loses its rules', async () => {
    const open = await openStorage()
    await create(open, { type: 'tree', qtree: '', limits: { spaceHard: MiB } })
    await setQuota(open, true)
    await createQtree(open, 'new')
    expect(fits(open, 'new/f', 2 * MiB)).toBe(false)
    const { rule } = await create(open, { type: 'tree', qtree: 'new', limits: { spaceHard: 4 * MiB } })
    expect(rule.qtreeId).toBe(1)
    expect(fits(open, 'new/f', 2 * MiB)).toBe(true)
    const { uuid } = open.vol1
    const renamed = (await open.storage.qtrees.update(uuid, 1, { name: 'old' }))._unsafeUnwrap()
    expect(await ended(open, renamed.job)).toMatchObject({ state: 'success' })
    expect((await open.storage.quotaRules.find(rule.uuid))._unsafeUnwrap().target).toEqual({
      type: 'tree',
      qtree: 'old',
    })
    expect(fits(open, 'old/f', 5 * MiB)).toBe(false)
    expect(await update(open, rule, 8 * MiB)).toMatchObject({ state: 'success' })
    expect(fits(open, 'old/f', 5 * MiB)).toBe(true)
    const removed = (await open.storage.qtrees.delete(uuid, 1))._unsafeUnwrap()
    expect(await ended(open, removed.job)).toMatchObject({ state: 'success' })
    expect(await open.storage.quotaRules.count({ all: [] })).toBe(1)
    expect(await open.repositories.enforcedQuotas.list(uuid)).toHaveLength(1)
    expect(await open.volume.listQtrees()).toEqual([])
  })

  it('a qtree whose name begins with a dot can have a rule', async () => {
    const { open } = await openOn()
    await createQtree(open, '.snapshots')
    const { job } = await create(open, { type: 'tree', qtree: '.snapshots', limits: { spaceHard: MiB } })
    expect(job).toMatchObject({ state: 'success' })
    expect(fits(open, '.snapshots/f', 2 * MiB)).toBe(false)
  })

  it('a rule for an absent qtree is enforced once the qtree is created', async () => {
    const { open } = await openOn()
    const { rule } = await create(open, { type: 'tree', qtree: 'later', limits: { spaceHard: MiB } })
    expect(rule).not.toHaveProperty('qtreeId')
    await createQtree(open, 'later')
    expect(fits(open, 'later/f', 2 * MiB)).toBe(false)
    expect((await open.storage.quotaRules.find(rule.uuid))._unsafeUnwrap().qtreeId).toBe(3)
  })

  it('a default user rule also applies in each qtree with a tree quota', async () => {
    const open = await openStorage()
    await createQtree(open, 'qt1')
    await create(open, { type: 'tree', qtree: 'qt1' })
    await create(open, { type: 'user', users: [{ name: '' }], limits: { spaceHard: 2 * MiB } })
    await create(open, { type: 'user', users: [{ name: 'sam' }], limits: { spaceHard: 8 * MiB } })
    await setQuota(open, true)
    expect(fits(open, 'f', 4 * MiB)).toBe(true)
    expect(fits(open, 'qt1/f', 4 * MiB)).toBe(false)
  })
})

describe('another process with the same store', () => {
  it('restores the enforced quotas, not the current rules', async () => {
    const first = await openStorage()
    await createQtree(first, 'qt1')
    await create(first, { type: 'tree', qtree: '', limits: { spaceHard: MiB } })
    await setQuota(first, true)
    const { rule } = await create(first, { type: 'user', users: [{ name: 'sam' }], limits: { spaceHard: 1024 } })
    await first.storage.close()
    const second = await openStorage({ repositories: first.repositories })
    await second.storage.jobs.list({ query: { all: [] }, order: [], limit: 99 })
    const { records } = await second.storage.jobs.list({ query: { all: [] }, order: [], limit: 99 })
    for (const job of records) await ended(second, job)
    expect(await second.volume.listQtrees()).toEqual(['qt1'])
    expect(fits(second, 'qt1/f', 2 * MiB)).toBe(false)
    expect(fits(second, 'f', 2 * MiB)).toBe(true)
    expect((await second.storage.quotaRules.find(rule.uuid)).isOk()).toBe(true)
    expect(second.vol1.uuid).toBe(first.vol1.uuid)
  })

  it('links a rule to a qtree that was created in the file system by hand', async () => {
    const first = await openStorage()
    const { rule } = await create(first, { type: 'tree', qtree: 'by-hand', limits: { spaceHard: MiB } })
    await setQuota(first, true)
    await first.storage.close()
    await first.volume.createQtree('by-hand', { unixPermissions: 755 })
    const second = await openStorage({ repositories: first.repositories, volume: first.volume, clock: first.clock })
    expect((await second.storage.quotaRules.find(rule.uuid))._unsafeUnwrap().qtreeId).toBe(1)
    expect(fits(second, 'by-hand/f', 2 * MiB)).toBe(false)
  })

  it('takes over an unfinished scan', async () => {
    const first = await openStorage({
      backend: (volume) => ({
        ...volume,
        enableQuota: (_, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      }),
    })
    const job = (await first.storage.volumes.setQuota(first.vol1.uuid, true))._unsafeUnwrap()
    await until(async () => (await stateOf(first, first.vol1)) === 'initializing')
    await first.storage.close()
    const second = await openStorage({ repositories: first.repositories, volume: first.volume })
    expect(await ended(second, job)).toMatchObject({ state: 'success' })
    expect(await stateOf(second, second.vol1)).toBe('on')
  })
})
