import { simulatedVolume } from '@trivium/simulated-volumes'
import { describe, expect, it } from 'vitest'
import type { VolumeBackend } from '../src/volumes/volume-backend.ts'
import { createQtree, ended, MiB, type OpenStorage, openStorage, setQuota, stateOf, until } from './open-storage.ts'

const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

describe('a volume that differs from its file system', () => {
  /** Opens a volume with two qtrees of 4 MiB. The limit of qt2 is that of the default rule. */
  async function open(options: Parameters<typeof openStorage>[0] = {}): Promise<OpenStorage> {
    const opened = await openStorage({ inspectSeconds: 0.02, ...options })
    for (const name of ['qt1', 'qt2']) await createQtree(opened, name)
    const limits = { spaceHard: 4 * MiB }
    for (const qtree of ['', 'qt1']) {
      ;(await opened.storage.quotaRules.create({ ...on, type: 'tree', qtree, limits }))._unsafeUnwrap()
    }
    await setQuota(opened, true)
    return opened
  }
  const names = ({ emitted }: OpenStorage) => emitted.map(([name]) => name)
  const isVolumeState = async ({ storage, vol1 }: OpenStorage, state: string) =>
    (await storage.volumes.find(vol1.uuid))._unsafeUnwrap().state === state
  const refusesIn = ({ volume }: OpenStorage, qtree: string) => {
    try {
      volume.files.write(`${qtree}/probe`, { size: 8 * MiB })
      volume.files.remove(`${qtree}/probe`)
      return false
    } catch {
      return true
    }
  }

  it('gets only its lost limits back', async () => {
    const opened = await open()
    const changes: unknown[] = []
    const { storage, volume } = opened
    storage.events.on('quota.limits-restored', (_volume, limits) => changes.push(...limits))
    await volume.changeLimits({ clear: [{ kind: 'tree', qtree: 'qt2' }], set: [] })
    await until(() => changes.length > 0)
    expect(changes).toEqual([{ target: { kind: 'tree', qtree: 'qt2' }, limits: { spaceHard: 4 * MiB } }])
    await until(async () => (await stateOf(opened, opened.vol1)) === 'on')
    expect(refusesIn(opened, 'qt2')).toBe(true)
    expect(opened.faults).toEqual([])
  })

  it('reports `mixed` quotas while its lost limits cannot be set', async () => {
    const refusing = (one: ReturnType<typeof simulatedVolume>): VolumeBackend => ({
      ...one,
      changeLimits: () => Promise.reject(new Error('broken')),
    })
    const opened = await open({ backend: refusing })
    await opened.volume.changeLimits({ clear: [{ kind: 'tree', qtree: 'qt2' }], set: [] })
    await until(async () => (await stateOf(opened, opened.vol1)) === 'mixed')
  })

  it('keeps its other quotas when a qtree is lost, and reports the loss once', async () => {
    const opened = await open()
    opened.volume.files.remove('qt1')
    await until(() => names(opened).includes('qtree.missing'))
    for (const enabled of [false, true]) expect((await setQuota(opened, enabled)).state).toBe('success')
    expect(await stateOf(opened, opened.vol1)).toBe('on')
    expect(refusesIn(opened, 'qt2')).toBe(true)
    const { records } = await opened.repositories.quotaRules.list({ query: { all: [] }, order: [], limit: 10 })
    const rule = records.find(({ target }) => target.qtree === 'qt1')
    if (!rule) throw new Error('There is no rule')
    const changed = await opened.storage.quotaRules.update(rule.uuid, { limits: { spaceHard: 5 * MiB } })
    const { job } = changed._unsafeUnwrap()
    expect(job && (await ended(opened, job)).state).toBe('success')
    await opened.volume.createQtree('qt1', { unixPermissions: 755 })
    await until(() => names(opened).includes('qtree.found'))
    await until(() => refusesIn(opened, 'qt1'))
    expect(names(opened).filter((name) => name === 'qtree.missing')).toHaveLength(1)
    expect(opened.emitted.find(([name]) => name === 'qtree.missing')?.[2]).toEqual({ name: 'qt1' })
  })

  it('reports `corrupt` quotas while they are off in the file system, until they are switched on there', async () => {
    const opened = await open()
    opened.volume.host.disableQuotas()
    await until(async () => (await stateOf(opened, opened.vol1)) === 'corrupt')
    expect(refusesIn(opened, 'qt1')).toBe(false)
    opened.volume.host.enableQuotas()
    await until(async () => (await stateOf(opened, opened.vol1)) === 'on')
    for (const qtree of ['qt1', 'qt2']) expect(refusesIn(opened, qtree)).toBe(true)
  })

  it('reports `corrupt` quotas while they are off in the file system, until the storage switches them on', async () => {
    const opened = await open()
    opened.volume.host.disableQuotas()
    await until(async () => (await stateOf(opened, opened.vol1)) === 'corrupt')
    expect((await setQuota(opened, true)).state).toBe('success')
    expect(await stateOf(opened, opened.vol1)).toBe('on')
    for (const qtree of ['qt1', 'qt2']) expect(refusesIn(opened, qtree)).toBe(true)
  })

  it('reports `offline` while it is not mounted, and enforces its quotas again after that', async () => {
    const opened = await open()
    opened.volume.host.unmount()
    await until(() => isVolumeState(opened, 'offline'))
    await until(async () => (await stateOf(opened, opened.vol1)) === 'corrupt')
    expect((await setQuota(opened, true)).state).toBe('failure')
    expect((await setQuota(opened, false)).state).toBe('failure')
    expect(await stateOf(opened, opened.vol1)).toBe('corrupt')
    opened.volume.host.mount()
    await until(() => isVolumeState(opened, 'online'))
    await until(async () => (await stateOf(opened, opened.vol1)) === 'on')
    for (const qtree of ['qt1', 'qt2']) expect(refusesIn(opened, qtree)).toBe(true)
    expect(names(opened).filter((name) => name === 'volume.state-changed')).toHaveLength(2)
    expect(opened.faults).toEqual([])
  })

  it('reports `offline` when it is not mounted at a start, and passes where it was mounted before', async () => {
    const mounts: (string | undefined)[] = []
    const backend = (one: ReturnType<typeof simulatedVolume>): VolumeBackend => ({
      ...one,
      expectMount: async (earlier) => {
        mounts.push(earlier)
        return '/srv/vol1'
      },
    })
    const opened = await open({ backend })
    const { repositories, volume, clock, vol1 } = opened
    await opened.storage.close()
    volume.host.unmount()
    const next = await openStorage({ repositories, volume, clock, backend, inspectSeconds: 0.02 })
    expect(mounts).toEqual([undefined, '/srv/vol1'])
    await until(() => isVolumeState(next, 'offline'))
    volume.host.mount()
    await until(() => isVolumeState(next, 'online'))
    await until(async () => (await stateOf(next, vol1)) === 'on')
    for (const qtree of ['qt1', 'qt2']) expect(refusesIn(next, qtree)).toBe(true)
  })

  it('starts without quotas while it is not mounted', async () => {
    const volume = simulatedVolume()
    volume.host.unmount()
    const opened = await openStorage({ volume, inspectSeconds: 0.02 })
    await until(() => isVolumeState(opened, 'offline'))
    volume.host.mount()
    await until(() => isVolumeState(opened, 'online'))
    await createQtree(opened, 'qt1')
    expect(opened.faults).toEqual([])
  })

  it('gets its limits back at every start', async () => {
    const opened = await open()
    const { repositories, volume, clock, vol1 } = opened
    await opened.storage.close()
    await repositories.volumes.changeState(vol1.uuid, 'offline')
    volume.host.disableQuotas()
    const next = await openStorage({ repositories, volume, clock, inspectSeconds: 3600 })
    await until(() => isVolumeState(next, 'online'))
    expect(await stateOf(next, vol1)).toBe('on')
    for (const qtree of ['qt1', 'qt2']) expect(refusesIn(next, qtree)).toBe(true)
  })

  it('calls only `capabilities` and `inspect` while nothing changes', async () => {
    const calls: string[] = []
    const counting = (one: ReturnType<typeof simulatedVolume>): VolumeBackend =>
      new Proxy<VolumeBackend>(one, {
        get: (target, name) => {
          calls.push(String(name))
          return Reflect.get(target, name)
        },
      })
    const opened = await open({ backend: counting })
    await until(() => calls.at(-1) === 'inspect')
    calls.length = 0
    await until(() => calls.filter((name) => name === 'inspect').length >= 3)
    expect(new Set(calls)).toEqual(new Set(['capabilities', 'inspect']))
    expect(opened.faults).toEqual([])
  })
})
