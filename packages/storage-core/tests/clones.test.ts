import { simulatedVolume } from '@trivium/simulated-volumes'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CloneFile } from '../src/file-clones/file-clones.ts'
import { allowableLoad } from '../src/nodes/allowable-load.ts'
import { VolumeRefusal } from '../src/volumes/volume-refusal.ts'
import { createClock, ended, MiB, type OpenStorage, openStorage, until } from './open-storage.ts'

async function clone(open: OpenStorage, request: Partial<CloneFile> = {}) {
  const named = { volume: { name: 'vol1' }, svm: { name: 'svm1' }, source: 'f', destination: 'c' }
  const whole = { ...named, split: true, ...request }
  return ended(open, (await open.storage.fileClones.create(whole))._unsafeUnwrap())
}

const load = async ({ storage }: OpenStorage) => {
  const [found] = await storage.nodes.splitLoads()
  if (!found) throw new Error('The node is missing')
  return { ...found, allowable: allowableLoad(found) }
}

const nodeId = async ({ storage }: OpenStorage) => (await storage.nodes.list())[0]?.uuid ?? ''

const isSplit = (open: OpenStorage) => async () =>
  (await open.storage.splits.status()).every(({ pendingSplits }) => pendingSplits === 0)

describe('a clone', () => {
  it('charges the node until it is split, slice by slice', async () => {
    const open = await openStorage({ splitSliceSize: 2 * MiB })
    open.volume.files.write('f', { size: 8 * MiB })
    expect(await clone(open)).toMatchObject({ state: 'success', description: 'clone-file' })
    await until(isSplit(open))
    expect((await open.volume.space()).used).toBe(16 * MiB)
    expect(open.volume.files.contents('c')).toBe(open.volume.files.contents('f'))
    const names = open.emitted.map(([name]) => name).filter((name) => name.startsWith('split'))
    const progress = ['split.progress', 'split.progress', 'split.progress']
    expect(names).toEqual(['split.requested', 'split.started', ...progress, 'split.done'])
    expect(await load(open)).toMatchObject({ current: 0, tokenReserved: 0 })
  })

  it('fails at the maximum split load, and creates nothing', async () => {
    const open = await openStorage({ nodes: [{ name: 'node1', splitLoadMaximum: 4 * MiB }] })
    open.volume.files.write('f', { size: 8 * MiB })
    expect(await clone(open)).toMatchObject({
      state: 'failure',
      failure: { type: 'clone-failed', message: 'Node "node1" is at its maximum split load (EBUSY).' },
    })
    expect(await open.volume.file('c')).toBeUndefined()
    expect(await load(open)).toMatchObject({ current: 0, allowable: 4 * MiB })
  })

  it('uses the reservation of its token, and returns it when the clone fails', async () => {
    const open = await openStorage({ nodes: [{ name: 'node1', splitLoadMaximum: 20 * MiB }] })
    open.volume.files.write('f', { size: 8 * MiB })
    open.volume.files.write('taken', { size: MiB })
    const { cloneTokens } = open.storage
    const token = (await cloneTokens.create({ node: await nodeId(open), reserveSize: 20 * MiB }))._unsafeUnwrap()
    expect(await clone(open)).toMatchObject({ failure: { type: 'clone-failed' } })
    expect(await clone(open, { token: token.uuid, destination: 'taken' })).toMatchObject({ state: 'failure' })
    expect(await clone(open, { token: token.uuid, destination: 'absent/c' })).toMatchObject({ state: 'failure' })
    expect(await load(open)).toMatchObject({ tokenReserved: 20 * MiB, allowable: 0 })
    expect(await clone(open, { token: token.uuid })).toMatchObject({ state: 'success' })
    await until(isSplit(open))
    expect((await cloneTokens.find(token.node.uuid, token.uuid))._unsafeUnwrap().reserveSize).toBe(12 * MiB)
    expect(open.emitted).toContainEqual(['clone-token.consumed', { token: token.uuid, size: 8 * MiB }])
    expect(await clone(open, { token: token.uuid, destination: 'd' })).toMatchObject({ state: 'success' })
    expect(await clone(open, { token: token.uuid, destination: 'e' })).toMatchObject({
      failure: { message: expect.stringContaining('less than 8388608 bytes left') },
    })
    open.clock.advance(60)
    expect(await clone(open, { token: token.uuid, destination: 'e' })).toMatchObject({
      failure: { message: expect.stringContaining('There is no clone token') },
    })
  })

  it('copies ranges, and refuses those past the end of the source', async () => {
    const open = await openStorage()
    open.volume.files.write('f', { size: MiB })
    expect(await clone(open, { ranges: ['0:10:4', '8:0:2'] })).toMatchObject({ state: 'success' })
    expect(await open.volume.file('c')).toMatchObject({ kind: 'file', size: 14 * 4096 })
    expect(await clone(open, { ranges: ['255:0:2'], destination: 'd' })).toMatchObject({
      failure: { type: 'clone-range-invalid' },
    })
  })

  it('copies ranges within one file', async () => {
    const open = await openStorage()
    open.volume.files.write('f', { size: MiB })
    expect(await clone(open, { destination: 'f', ranges: ['0:256:4'] })).toMatchObject({ state: 'success' })
    expect(await open.volume.file('f')).toMatchObject({ kind: 'file', size: MiB + 4 * 4096 })
  })

  it('copies a range whose last block the file fills only in part', async () => {
    const open = await openStorage()
    open.volume.files.write('f', { size: 5000 })
    expect(await clone(open, { ranges: ['0:0:2'] })).toMatchObject({ state: 'success' })
    expect(await open.volume.file('c')).toMatchObject({ kind: 'file', size: 5000 })
    expect(await clone(open, { ranges: ['0:0:3'], destination: 'd' })).toMatchObject({
      failure: { type: 'clone-range-invalid' },
    })
  })

  it('shares the blocks of every file of a directory and charges nothing', async () => {
    const open = await openStorage()
    open.volume.files.makeDirectory('d/inner', { user: 'sam' })
    open.volume.files.write('d/inner/f', { size: 8 * MiB, user: 'sam' })
    expect(await clone(open, { source: 'd', split: false })).toMatchObject({ state: 'success' })
    expect(open.volume.files.contents('c/inner/f')).toBe(open.volume.files.contents('d/inner/f'))
    expect((await open.volume.space()).used).toBe(8 * MiB)
    expect(await load(open)).toMatchObject({ current: 0 })
    expect(open.faults).toEqual([])
  })

  it('fails for a directory with a token, a split, ranges or a taken path, and creates nothing', async () => {
    const open = await openStorage()
    open.volume.files.makeDirectory('d')
    open.volume.files.makeDirectory('taken')
    const token = (
      await open.storage.cloneTokens.create({ node: await nodeId(open), reserveSize: MiB })
    )._unsafeUnwrap()
    const ofDirectory = (request: Partial<CloneFile>) => clone(open, { source: 'd', split: false, ...request })
    const cannotSplit = { failure: { type: 'clone-failed', message: expect.stringContaining('cannot be split') } }
    expect(await ofDirectory({ split: true })).toMatchObject(cannotSplit)
    expect(await ofDirectory({ split: true, token: token.uuid })).toMatchObject(cannotSplit)
    expect(await ofDirectory({ ranges: ['0:0:1'] })).toMatchObject({ failure: { type: 'clone-range-invalid' } })
    const taken = { failure: { type: 'clone-failed', message: expect.stringContaining('exists') } }
    expect(await ofDirectory({ destination: 'taken', overwrite: true })).toMatchObject(taken)
    expect(await open.volume.file('c')).toBeUndefined()
    expect(await load(open)).toMatchObject({ current: 0, tokenReserved: MiB })
  })

  it('waits while the volume is full, and continues after that', async () => {
    let full = true
    const open = await openStorage({
      backend: (volume) => ({
        ...volume,
        unshare: async (...request) => {
          if (full) throw new VolumeRefusal('no-space', 'The volume is full')
          return volume.unshare(...request)
        },
      }),
    })
    open.volume.files.write('f', { size: MiB })
    await clone(open)
    await until(() => open.emitted.some(([name]) => name === 'split.refused'))
    expect((await open.storage.splits.statusOf(open.vol1.uuid))._unsafeUnwrap()).toMatchObject({
      pendingSplits: 1,
      unsplitSize: MiB,
    })
    full = false
    open.clock.advance(30)
    await until(isSplit(open))
    expect(open.faults).toEqual([])
  })

  it('continues in the next process after the last slice of one that closes', async () => {
    const repositories = memoryStorageRepositories()
    const volume = simulatedVolume()
    const clock = createClock()
    volume.files.write('f', { size: 8 * MiB })
    let slices = 0
    let reached = () => {}
    const two = new Promise<void>((resolve) => {
      reached = resolve
    })
    const first = await openStorage({
      repositories,
      volume,
      clock,
      splitSliceSize: MiB,
      backend: (one) => ({
        ...one,
        unshare: async (...request) => {
          slices += 1
          if (slices === 3) reached()
          return slices > 2
            ? new Promise((resolve) =>
                request[1].signal.addEventListener('abort', () =>
                  resolve({ position: request[1].position, unshared: 0, done: false }),
                ),
              )
            : one.unshare(...request)
        },
      }),
    })
    await clone(first)
    await two
    expect(await load(first)).toMatchObject({ current: 6 * MiB })
    await first.storage.close()
    const second = await openStorage({ repositories, volume, clock, splitSliceSize: MiB })
    await until(isSplit(second))
    expect(await load(second)).toMatchObject({ current: 0 })
    expect((await volume.space()).used).toBe(16 * MiB)
    expect(second.emitted.filter(([name]) => name === 'split.progress')).toHaveLength(5)
  })

  /** Opens a process whose clone waits in the middle until `goOn` is called. */
  async function openMidway() {
    const [repositories, volume] = [memoryStorageRepositories(), simulatedVolume()]
    volume.files.write('f', { size: 8 * MiB })
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>()
    const { jobs } = repositories
    const open = await openStorage({
      repositories: {
        ...repositories,
        jobs: {
          ...jobs,
          advance: async (...step) => {
            const outcome = await jobs.advance(...step)
            if (outcome === 'cancel') cancel()
            return outcome
          },
        },
      },
      volume,
      leaseSeconds: 0.2,
      backend: (one) => ({
        ...one,
        cloneFile: async (request) => {
          begin()
          await resumed
          return one.cloneFile(request)
        },
      }),
    })
    const whole = { volume: { name: 'vol1' }, source: 'f', destination: 'c', split: true }
    const job = (await open.storage.fileClones.create(whole))._unsafeUnwrap()
    await begun
    return { open, job, resume, cancelled }
  }

  it('refuses to be cancelled once it has begun, even after its process has closed', async () => {
    const { open, job, resume } = await openMidway()
    const closed = open.storage.close()
    resume()
    await closed
    expect((await open.storage.jobs.find(job.uuid))._unsafeUnwrap()).toMatchObject({ state: 'queued' })
    expect((await open.storage.jobs.cancel(job.uuid))._unsafeUnwrapErr().type).toBe('job-not-cancellable')
    const next = await openStorage({ repositories: open.repositories, volume: open.volume, clock: open.clock })
    expect(await ended(next, job)).toMatchObject({ state: 'success' })
    await until(isSplit(next))
    expect(await load(next)).toMatchObject({ current: 0 })
  })

  it('holds no load when it is cancelled while it begins', async () => {
    const { open, job, resume, cancelled } = await openMidway()
    expect(await open.repositories.jobs.command(job.uuid, 'cancel', open.clock.now())).toBe('asked')
    await cancelled
    resume()
    expect(await ended(open, job)).toMatchObject({ failure: { type: 'cancelled' } })
    expect(await load(open)).toMatchObject({ current: 0 })
  })

  it('continues in another process when its own ends, and is charged once', async () => {
    const repositories = memoryStorageRepositories()
    const volume = simulatedVolume()
    const clock = createClock()
    volume.files.write('f', { size: 8 * MiB })
    let hasCrashed = false
    let unblock = () => {}
    const unblocked = new Promise<void>((resolve) => {
      unblock = resolve
    })
    const crashing = await openStorage({
      repositories: {
        ...repositories,
        jobs: {
          ...repositories.jobs,
          advance: (...step) => (hasCrashed ? unblocked.then(() => 'lost') : repositories.jobs.advance(...step)),
          claim: async (request) => (hasCrashed ? undefined : repositories.jobs.claim(request)),
        },
      },
      volume,
      clock,
      backend: (one) => ({
        ...one,
        cloneFile: async (request) => {
          const cloned = await one.cloneFile(request)
          hasCrashed = true
          await unblocked
          return cloned
        },
      }),
    })
    const request = { volume: { name: 'vol1' }, source: 'f', destination: 'c', split: true }
    const job = (await crashing.storage.fileClones.create(request))._unsafeUnwrap()
    await until(async () => (await volume.file('c')) !== undefined)
    const next = await openStorage({ repositories, volume, clock })
    expect((await next.storage.jobs.find(job.uuid))._unsafeUnwrap().state).toBe('running')
    clock.advance(31)
    expect(await ended(next, job)).toMatchObject({ state: 'success' })
    await until(isSplit(next))
    expect(await load(next)).toMatchObject({ current: 0 })
    expect((await volume.space()).used).toBe(16 * MiB)
    unblock()
  })

  it('keeps its charge when its first process continues after it was replaced', async () => {
    const repositories = memoryStorageRepositories()
    const volume = simulatedVolume()
    const clock = createClock()
    volume.files.write('f', { size: 8 * MiB })
    const { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>()
    const late = await openStorage({
      repositories,
      volume,
      clock,
      lookSeconds: 3600,
      scheduler: { after: () => () => undefined },
      backend: (one) => ({
        ...one,
        cloneFile: async (request) => {
          const cloned = await one.cloneFile(request)
          await unblocked
          return cloned
        },
      }),
    })
    const request = { volume: { name: 'vol1' }, source: 'f', destination: 'c', split: true }
    const job = (await late.storage.fileClones.create(request))._unsafeUnwrap()
    await until(async () => (await volume.file('c')) !== undefined)
    clock.advance(31)
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
    const next = await openStorage({
      repositories,
      volume,
      clock,
      backend: (one) => ({ ...one, unshare: (...request) => allowed.then(() => one.unshare(...request)) }),
    })
    expect(await ended(next, job)).toMatchObject({ state: 'success' })
    unblock()
    await late.storage.close()
    expect(await load(next)).toMatchObject({ current: 8 * MiB })
    allow()
    await until(isSplit(next))
    expect(await load(next)).toMatchObject({ current: 0 })
  })

  it.each([
    ['whose clone is then refused', false],
    ['whose clone would overwrite later changes', true],
  ])('stays with the process that took it over when the first one continues, %s', async (_, overwrite) => {
    const repositories = memoryStorageRepositories()
    const volume = simulatedVolume()
    const clock = createClock()
    volume.files.write('f', { size: 8 * MiB })
    const { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>()
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const hold = async () => {
      reach()
      await unblocked
    }
    const late = await openStorage({
      repositories: {
        ...repositories,
        splits: {
          ...repositories.splits,
          begin: async (...request) => {
            const outcome = await repositories.splits.begin(...request)
            if (overwrite) await hold()
            return outcome
          },
        },
      },
      volume,
      clock,
      lookSeconds: 3600,
      scheduler: { after: () => () => undefined },
      backend: (one) => ({
        ...one,
        cloneFile: async (request) => {
          if (!overwrite) await hold()
          return one.cloneFile(request)
        },
      }),
    })
    const request = { volume: { name: 'vol1' }, source: 'f', destination: 'c', overwrite, split: true }
    const job = (await late.storage.fileClones.create(request))._unsafeUnwrap()
    await reached
    clock.advance(31)
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
    const next = await openStorage({
      repositories,
      volume,
      clock,
      backend: (one) => ({ ...one, unshare: (...slice) => allowed.then(() => one.unshare(...slice)) }),
    })
    onTestFinished(() => allow())
    expect(await ended(next, job)).toMatchObject({ state: 'success' })
    volume.files.truncate('c', MiB)
    unblock()
    await late.storage.close()
    expect(await volume.file('c')).toMatchObject({ kind: 'file', size: MiB })
    expect(await load(next)).toMatchObject({ current: 8 * MiB })
    allow()
    await until(isSplit(next))
    expect(await load(next)).toMatchObject({ current: 0 })
    expect(late.faults).toEqual([])
  })

  it('holds no load for a source that was emptied before another process continues', async () => {
    const repositories = memoryStorageRepositories()
    const volume = simulatedVolume()
    const clock = createClock()
    volume.files.write('f', { size: 8 * MiB })
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const { promise: crashed, reject: end } = Promise.withResolvers<never>()
    crashed.catch(() => undefined)
    let hasCrashed = false
    const crashing = await openStorage({
      repositories: {
        ...repositories,
        jobs: {
          ...repositories.jobs,
          advance: (...step) => (hasCrashed ? crashed : repositories.jobs.advance(...step)),
        },
      },
      volume,
      clock,
      lookSeconds: 3600,
      backend: (one) => ({
        ...one,
        cloneFile: () => {
          hasCrashed = true
          reach()
          return crashed
        },
      }),
    })
    onTestFinished(() => end(new Error('died')))
    const request = { volume: { name: 'vol1' }, source: 'f', destination: 'c', split: true }
    const job = (await crashing.storage.fileClones.create(request))._unsafeUnwrap()
    await reached
    volume.files.truncate('f', 0)
    clock.advance(31)
    const next = await openStorage({ repositories, volume, clock })
    expect(await ended(next, job)).toMatchObject({ state: 'success' })
    await until(isSplit(next))
    expect(await load(next)).toMatchObject({ current: 0 })
  })

  it.each([
    [{ source: '/f' }, { type: 'invalid-clone-path', field: 'source' }],
    [{ source: '../f' }, { type: 'invalid-clone-path', field: 'source' }],
    [{ destination: 'a/../../f' }, { type: 'invalid-clone-path', field: 'destination' }],
    [{ destination: '' }, { type: 'invalid-clone-path', field: 'destination' }],
    [{ destination: 'a\0b' }, { type: 'invalid-clone-path', field: 'destination' }],
    [{ destination: './f' }, { type: 'clone-onto-itself' }],
    [{ ranges: ['1:2'] }, { type: 'invalid-clone-range' }],
    [{ ranges: ['1:2:0'] }, { type: 'invalid-clone-range' }],
    [{ ranges: ['-1:2:3'] }, { type: 'invalid-clone-range' }],
    [{ ranges: ['0:0:4', '3:8:1'] }, { type: 'clone-ranges-overlap', of: 'source' }],
    [{ ranges: ['0:0:4', '8:3:1'] }, { type: 'clone-ranges-overlap', of: 'destination' }],
    [
      { destination: 'f', ranges: ['0:2:4'] },
      { type: 'clone-ranges-overlap', of: 'both' },
    ],
    [{ volume: {} }, { type: 'volume-missing' }],
    [{ volume: { name: 'vol9' } }, { type: 'volume-not-found' }],
    [{ svm: { name: 'svm9' } }, { type: 'svm-not-found' }],
  ])('needs a valid request, not %o', async (request, error) => {
    const open = await openStorage()
    open.volume.files.write('f', { size: MiB })
    const whole = { volume: { name: 'vol1' }, svm: { name: 'svm1' }, source: 'f', destination: 'c', ...request }
    expect((await open.storage.fileClones.create(whole))._unsafeUnwrapErr()).toMatchObject(error)
    expect(await open.storage.jobs.count({ all: [] })).toBe(0)
  })

  it('never leaves the volume through a symbolic link', async () => {
    const open = await openStorage()
    open.volume.files.write('f', { size: MiB })
    open.volume.files.link('out', '/etc')
    expect(await clone(open, { source: 'out/passwd' })).toMatchObject({ failure: { type: 'clone-failed' } })
    expect(await clone(open, { destination: 'out/copy' })).toMatchObject({ failure: { type: 'clone-failed' } })
    expect(await load(open)).toMatchObject({ current: 0 })
  })
})

describe('a clone token', () => {
  it('rounds its size up, and expires by the clock', async () => {
    const open = await openStorage()
    const node = await nodeId(open)
    const { cloneTokens } = open.storage
    const token = (await cloneTokens.create({ node, reserveSize: 1 }))._unsafeUnwrap()
    expect(token).toMatchObject({ reserveSize: 4096, lifetimeSeconds: 60 })
    open.clock.advance(59)
    expect((await cloneTokens.find(node, token.uuid)).isOk()).toBe(true)
    const longer = (await cloneTokens.changeExpiry(node, token.uuid, 120))._unsafeUnwrap()
    expect(longer.expiresAt.getTime() - open.clock.now().getTime()).toBe(120_000)
    open.clock.advance(120)
    expect((await cloneTokens.find(node, token.uuid))._unsafeUnwrapErr().type).toBe('clone-token-not-found')
    await until(() => open.emitted.some(([name]) => name === 'clone-token.expired'))
    expect(await load(open)).toMatchObject({ tokenReserved: 0 })
  })

  it('survives a clock that is 500 days ahead for a while', async () => {
    const open = await openStorage()
    const node = await nodeId(open)
    const { cloneTokens } = open.storage
    const token = (await cloneTokens.create({ node, reserveSize: 1, lifetimeSeconds: 30 * 86_400 }))._unsafeUnwrap()
    open.clock.advance(500 * 86_400)
    for (let turn = 0; turn < 2; turn += 1) await cloneTokens.expire()
    expect((await cloneTokens.find(node, token.uuid)).isErr()).toBe(true)
    open.clock.advance(-500 * 86_400)
    await cloneTokens.expire()
    expect((await cloneTokens.find(node, token.uuid)).isOk()).toBe(true)
  })

  it.each([
    [{ reserveSize: -1 }, 'negative-reserve'],
    [{ reserveSize: 1, lifetimeSeconds: 0 }, 'invalid-lifetime'],
    [{ reserveSize: 1, lifetimeSeconds: 1.5 }, 'invalid-lifetime'],
    [{ reserveSize: 1, lifetimeSeconds: 1e12 }, 'invalid-lifetime'],
    [{ reserveSize: 33 * 2 ** 40 }, 'split-load-exceeded'],
    [{ reserveSize: 1, node: 'absent' }, 'node-not-found'],
  ])('needs a valid request: %o fails with %s', async (request, type) => {
    const open = await openStorage()
    const error = (await open.storage.cloneTokens.create({ node: await nodeId(open), ...request }))._unsafeUnwrapErr()
    expect(error.type).toBe(type)
  })

  it('never makes the allowable load negative', async () => {
    const open = await openStorage()
    const node = await nodeId(open)
    await open.storage.cloneTokens.create({ node, reserveSize: 8 * MiB })
    ;(await open.storage.nodes.setSplitLoadMaximum(node, 4096))._unsafeUnwrap()
    expect(await load(open)).toMatchObject({ maximum: 4096, tokenReserved: 8 * MiB, allowable: 0 })
    for (const bytes of [4095, 676 * 2 ** 40, 1e4 + 0.5]) {
      const error = (await open.storage.nodes.setSplitLoadMaximum(node, bytes))._unsafeUnwrapErr()
      expect(error.type).toBe('invalid-split-load')
    }
  })
})
