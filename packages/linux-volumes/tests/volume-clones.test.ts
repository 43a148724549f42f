import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VolumeBackend, VolumeClones } from '@trivium/storage-core/ports'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type LinuxVolumeOptions, openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const MiB = 2 ** 20
const { signal } = new AbortController()
const system = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']
const mountable = { btrfs: await canMount('btrfs'), xfs: await canMount('xfs') }
const clone = { id: '4b3c5a52-0000-4000-8000-000000000001', name: 'clone1' }
const staging = `.trivium-clone-${clone.id}`

/** Writes bytes that compress badly. @returns whether they fit */
function write(path: string, megabytes: number): boolean {
  try {
    execFileSync(
      'dd',
      ['if=/dev/urandom', `of=${path}`, 'bs=1M', `count=${megabytes}`, 'oflag=append', 'conv=notrunc,fsync'],
      { stdio: 'pipe' },
    )
    return true
  } catch {
    return false
  }
}

describe.skipIf(!mountable.btrfs)('a volume on btrfs with a directory for clones', { timeout: 60_000 }, () => {
  let mount: LoopMount
  let volume: VolumeBackend
  let clones: VolumeClones
  const at = (path: string) => join(mount.directory, path)
  const inVolume = (path: string) => at(`volume/${path}`)
  const inClones = (path: string) => at(`clones/${path}`)
  const btrfs = (...args: readonly string[]) => execFileSync('btrfs', args, { encoding: 'utf8' })
  const subvolumes = () =>
    btrfs('subvolume', 'list', mount.directory)
      .split('\n')
      .flatMap((line) => / path (.*)$/.exec(line)?.[1] ?? [])
      .toSorted()
  const mark = (path: string) =>
    execFileSync(
      'python3',
      ['-c', 'import os,sys; os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())'].concat(
        path,
        'trusted.trivium.clone',
        clone.id,
      ),
    )

  async function open(options: Partial<LinuxVolumeOptions> = {}): Promise<VolumeClones> {
    volume = await openLinuxVolume({ directory: at('volume'), cloneDirectory: at('clones'), ...options })
    if (!volume.volumeClones) throw new Error('The volume has no clones')
    return volume.volumeClones
  }
  /** Opens the volume with a shell script in place of some calls of a program. */
  function openWith(program: string, calls: string, script: string): Promise<VolumeClones> {
    const directory = mkdtempSync(join(tmpdir(), 'trivium-programs-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const text = `#!/bin/sh\ncase "$*" in ${calls}) ${script};; *) PATH=${system.join(':')} exec ${program} "$@";; esac\n`
    writeFileSync(join(directory, program), text, { mode: 0o755 })
    return open({ programDirectories: [directory, ...system] })
  }

  beforeEach(async () => {
    mount = await mountLoop('btrfs', 512, ['commit=1'])
    btrfs('-q', 'subvolume', 'create', at('volume'))
    mkdirSync(at('clones'), 0o700)
    clones = await open()
    await volume.createQtree('qt1', { unixPermissions: 750 })
    chownSync(inVolume('qt1'), 1, 2)
    writeFileSync(inVolume('qt1/inner'), 'of the qtree')
    chownSync(inVolume('qt1/inner'), 1, 2)
    writeFileSync(inVolume('plain'), 'of the volume')
  })
  afterEach(() => mount.unmount())

  it('shares the blocks of the volume, with its qtrees, owners and modes', async () => {
    write(inVolume('large'), 64)
    write(inVolume('qt1/large'), 64)
    btrfs('filesystem', 'sync', mount.directory)
    const before = (await volume.space()).used
    const backend = await clones.create(clone)
    expect((await backend.space()).used - before).toBeLessThan(4 * MiB)
    expect(backend.volumeClones).toBeUndefined()
    expect(await backend.listQtrees()).toEqual(['qt1'])
    const { uid, gid, mode } = statSync(inClones('clone1/qt1'))
    expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: 1, gid: 2, mode: 0o750 })
    expect(statSync(inClones('clone1/qt1/inner')).uid).toBe(1)
    for (const path of ['plain', 'large', 'qt1/inner', 'qt1/large']) {
      expect(readFileSync(inClones(`clone1/${path}`)).equals(readFileSync(inVolume(path)))).toBe(true)
    }
    const { identity = '' } = (await backend.file('qt1/large')) ?? {}
    expect(await backend.fileBlocks({ path: 'qt1/large', identity })).toEqual({ shared: 64 * MiB, unique: 0 })
    expect(readdirSync(at('clones'))).toEqual(['clone1'])
  })

  it('keeps a clone and the volume independent of each other', async () => {
    await clones.create(clone)
    writeFileSync(inVolume('qt1/inner'), 'changed')
    writeFileSync(inVolume('later'), 'x')
    expect(readFileSync(inClones('clone1/qt1/inner'), 'utf8')).toBe('of the qtree')
    expect(existsSync(inClones('clone1/later'))).toBe(false)
    writeFileSync(inClones('clone1/plain'), 'changed')
    rmSync(inClones('clone1/qt1/inner'))
    expect(readFileSync(inVolume('plain'), 'utf8')).toBe('of the volume')
    expect(readFileSync(inVolume('qt1/inner'), 'utf8')).toBe('changed')
  })

  it('gives a clone limits and a usage of its own, and none of the limits of the volume', async () => {
    const limit = (megabytes: number) =>
      [{ target: { kind: 'tree', qtree: 'qt1' }, limits: { spaceHard: megabytes * MiB } }] as const
    const spaceOf = async (backend: VolumeBackend) =>
      (await backend.usage()).find(({ target }) => target.kind === 'tree')?.space ?? 0
    write(inVolume('qt1/large'), 12)
    // The qtree is above its limit, and the volume itself has one, too.
    await volume.enableQuota(limit(10), { signal })
    btrfs('qgroup', 'limit', '1M', at('volume'))
    expect(write(inVolume('qt1/more'), 1)).toBe(false)
    const before = await spaceOf(volume)
    const backend = await clones.create(clone)
    expect(btrfs('qgroup', 'show', '-r', '--raw', at('clones/clone1'))).not.toMatch(/clones\/clone1.*\d{7}\s+\d/)
    expect(write(inClones('clone1/qt1/more'), 4)).toBe(true)
    expect(write(inClones('clone1/more'), 4)).toBe(true)
    expect(await spaceOf(volume)).toBe(before)
    expect(await spaceOf(backend)).toBeGreaterThanOrEqual(16 * MiB)

    await backend.enableQuota(limit(20), { signal })
    expect(await backend.inspect({ qtrees: ['qt1'], limits: limit(20) })).toMatchObject({ enforces: true, lost: [] })
    expect(await volume.inspect({ qtrees: ['qt1'], limits: limit(10) })).toMatchObject({ enforces: true, lost: [] })
    expect(write(inClones('clone1/qt1/more'), 8)).toBe(false)
    await backend.disableQuota()
    expect(write(inClones('clone1/qt1/more'), 8)).toBe(true)
    expect(await volume.inspect({ qtrees: ['qt1'], limits: limit(10) })).toMatchObject({ enforces: true, lost: [] })
    await clones.remove(clone)
    btrfs('subvolume', 'sync', mount.directory)
    expect(btrfs('qgroup', 'show', mount.directory)).not.toMatch(/clone1|deleted|stale/)
    expect(await spaceOf(volume)).toBe(before)
  })

  it('gives a clone none of the limits of many qtrees, which the volume keeps', async () => {
    const qtrees = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const qtree of qtrees) await volume.createQtree(qtree, { unixPermissions: 755 })
    const limits = qtrees.map(
      (qtree) => ({ target: { kind: 'tree', qtree }, limits: { spaceHard: 10 * MiB } }) as const,
    )
    await volume.enableQuota(limits, { signal })
    const backend = await clones.create(clone)
    expect(await volume.inspect({ qtrees, limits })).toMatchObject({ enforces: true, missing: [], lost: [] })
    const unlimited = limits.map(({ target }) => ({ target, limits: {} }))
    expect(await backend.inspect({ qtrees, limits: unlimited })).toMatchObject({ missing: [], lost: [] })
  })

  it('creates empty directories in place of subvolumes that are not qtrees', async () => {
    mkdirSync(inVolume('d'))
    for (const path of ['qt1/own', 'd/own']) {
      btrfs('-q', 'subvolume', 'create', inVolume(path))
      writeFileSync(inVolume(`${path}/f`), 'x')
    }
    btrfs('-q', 'subvolume', 'create', inVolume('.trivium-qtree'))
    const backend = await clones.create(clone)
    expect(await backend.listQtrees()).toEqual(['qt1'])
    for (const path of ['qt1/own', 'd/own']) expect(readdirSync(inClones(`clone1/${path}`))).toEqual([])
    expect(readdirSync(inClones('clone1')).toSorted()).toEqual(['d', 'plain', 'qt1'])
  })

  it('creates one clone for one id, opens it by that id, and removes it with its contents', async () => {
    expect(await clones.open(clone)).toBeUndefined()
    await clones.create(clone)
    writeFileSync(inClones('clone1/own'), 'x')
    btrfs('-q', 'subvolume', 'create', inClones('clone1/qt1/nested'))
    await clones.create(clone)
    expect(readFileSync(inClones('clone1/own'), 'utf8')).toBe('x')
    const found = await (await open()).open(clone)
    expect(await found?.listQtrees()).toEqual(['qt1'])
    const other = { ...clone, id: 'other' }
    expect(await clones.open(other)).toBeUndefined()
    await expect(clones.create(other)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'exists' })
    await clones.remove(other)
    expect(existsSync(inClones('clone1/own'))).toBe(true)
    await clones.remove(clone)
    await clones.remove(clone)
    expect(readdirSync(at('clones'))).toEqual([])
    expect(subvolumes()).toEqual(['volume', 'volume/qt1'])
    expect(await clones.open(clone)).toBeUndefined()
  })

  it.each([
    ['before the qtrees', 'btrfs', '"subvolume snapshot"*qt1*|"subvolume delete"*'],
    ['before the mark', 'perl', '*trusted*'],
    ['before the name', 'mv', '*'],
  ])('completes a clone in another call after a crash %s', async (_, program, calls) => {
    const interrupted = await openWith(program, calls, 'echo broken >&2; exit 1')
    await expect(interrupted.create(clone)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'failed' })
    expect(readdirSync(at('clones'))).toEqual(program === 'btrfs' ? [staging] : [])
    expect(await clones.open(clone)).toBeUndefined()
    const backend = await clones.create(clone)
    expect(await backend.listQtrees()).toEqual(['qt1'])
    expect(readdirSync(at('clones'))).toEqual(['clone1'])
    expect(subvolumes()).toEqual(['clones/clone1', 'clones/clone1/qt1', 'volume', 'volume/qt1'])
  })

  it('completes a clone when a marked draft, or an empty directory after the rename, is left', async () => {
    mkdirSync(inClones(staging), 0o700)
    btrfs('-q', 'subvolume', 'snapshot', at('volume'), inClones(`${staging}/draft`))
    mark(inClones(`${staging}/draft`))
    expect(await clones.open(clone)).toBeUndefined()
    await clones.create(clone)
    mkdirSync(inClones(staging), 0o700)
    writeFileSync(inClones('clone1/own'), 'x')
    await clones.create(clone)
    expect(readdirSync(at('clones'))).toEqual(['clone1'])
    expect(readdirSync(inClones('clone1')).toSorted()).toEqual(['own', 'plain', 'qt1'])
  })

  it('removes a clone in another call after a crash', async () => {
    await clones.create(clone)
    const interrupted = await openWith('btrfs', '"subvolume delete"*', 'echo broken >&2; exit 1')
    await expect(interrupted.remove(clone)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'failed' })
    expect(readdirSync(at('clones'))).toEqual([staging])
    expect(await clones.open(clone)).toBeUndefined()
    await clones.remove(clone)
    expect(readdirSync(at('clones'))).toEqual([])
    expect(subvolumes()).toEqual(['volume', 'volume/qt1'])
  })

  it('refuses a clone, and leaves no part of it, when the file system is full', async () => {
    const full = await openWith(
      'btrfs',
      '"subvolume snapshot"*qt1*',
      'echo "ERROR: No space left on device" >&2; exit 1',
    )
    await expect(full.create(clone)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'no-space' })
    expect(readdirSync(at('clones'))).toEqual([])
    expect(subvolumes()).toEqual(['volume', 'volume/qt1'])
  })

  it.each([
    ['a directory', () => mkdirSync(inClones('clone1'))],
    ['a file', () => writeFileSync(inClones('clone1'), 'x')],
    ['a subvolume', () => btrfs('-q', 'subvolume', 'create', inClones('clone1'))],
    ['a link to a clone', () => symlinkSync('other', inClones('clone1'))],
  ])('refuses a name that %s has, and leaves it unchanged', async (_, create) => {
    await clones.create({ ...clone, name: 'other' })
    create()
    expect(await clones.open(clone)).toBeUndefined()
    await expect(clones.create(clone)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'exists' })
    await clones.remove(clone)
    expect(readdirSync(at('clones')).toSorted()).toEqual(['clone1', 'other'])
    expect(await (await clones.open({ ...clone, name: 'other' }))?.listQtrees()).toEqual(['qt1'])
  })

  it('keeps users out of a clone until it is complete', async () => {
    chmodSync(at('clones'), 0o755)
    chmodSync(at('volume'), 0o777)
    const seen = at('seen')
    const watched = await openWith('mv', '*', `stat -c %a ${inClones(staging)} >${seen}; exec /usr/bin/mv "$@"`)
    await watched.create(clone)
    expect(readFileSync(seen, 'utf8')).toBe('700\n')
    expect(statSync(inClones('clone1')).mode & 0o777).toBe(0o777)
  })

  it.each([
    [{ ...clone, name: '../escaped' }],
    [{ ...clone, name: '.hidden' }],
    [{ ...clone, name: '' }],
    [{ ...clone, name: 'a'.repeat(204) }],
    [{ ...clone, id: '../escaped' }],
    [{ ...clone, id: '' }],
    [{ ...clone, id: 'a'.repeat(65) }],
  ])('refuses the clone %o', async (named) => {
    const refusal = { name: 'VolumeRefusal', reason: 'not-found', message: expect.stringContaining('cannot be the') }
    for (const call of [clones.create, clones.open, clones.remove]) {
      await expect(call(named)).rejects.toMatchObject(refusal)
    }
    expect(readdirSync(at('clones'))).toEqual([])
    expect(readdirSync(mount.directory).toSorted()).toEqual(['clones', 'volume'])
  })

  it('refuses clones when their directory is replaced by a link, or others can change it', async () => {
    const refusal = { name: 'VolumeRefusal', reason: 'unsupported' }
    chmodSync(at('clones'), 0o777)
    await expect(clones.create(clone)).rejects.toMatchObject(refusal)
    renameSync(at('clones'), at('elsewhere'))
    chmodSync(at('elsewhere'), 0o700)
    symlinkSync('elsewhere', at('clones'))
    await expect(clones.create(clone)).rejects.toMatchObject(refusal)
    await expect(clones.open(clone)).rejects.toMatchObject(refusal)
    expect(readdirSync(at('elsewhere'))).toEqual([])
  })

  it('refuses clones while the file system is not mounted', async () => {
    execFileSync('umount', [mount.directory])
    onTestFinished(() => rmSync(mount.directory, { recursive: true, force: true }))
    await expect(clones.create(clone)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'failed' })
    execFileSync('mount', ['-o', 'loop', mount.image, mount.directory])
    await clones.create(clone)
  })

  it.each([
    ['volume/d', 'is in the volume'],
    ['volume', 'is in the volume'],
    ['.', 'contains the volume'],
    ['absent', 'does not exist'],
    ['file', 'is not a directory'],
    ['inside', 'is in the volume'],
    ['/proc', 'is not in the mount'],
    ['shared', 'Others can change'],
    ['foreign', 'Others can change'],
  ])('refuses the directory %s for clones', async (directory, message) => {
    mkdirSync(inVolume('d'))
    writeFileSync(at('file'), 'x')
    symlinkSync('volume/d', at('inside'))
    mkdirSync(at('shared'))
    chmodSync(at('shared'), 0o770)
    mkdirSync(at('foreign'), 0o700)
    chownSync(at('foreign'), 1, 1)
    const cloneDirectory = directory.startsWith('/') ? directory : at(directory)
    await expect(openLinuxVolume({ directory: at('volume'), cloneDirectory })).rejects.toMatchObject({
      name: 'VolumeRefusal',
      reason: 'unsupported',
      message: expect.stringContaining(message),
    })
  })
})

it.skipIf(!mountable.xfs)('openLinuxVolume refuses a directory for clones on xfs', async () => {
  const mount = await mountLoop('xfs', 320)
  onTestFinished(() => mount.unmount())
  const [directory, cloneDirectory] = [join(mount.directory, 'volume'), join(mount.directory, 'clones')]
  for (const path of [directory, cloneDirectory]) mkdirSync(path)
  await expect(openLinuxVolume({ directory, cloneDirectory })).rejects.toMatchObject({
    name: 'VolumeRefusal',
    reason: 'unsupported',
    message: expect.stringContaining('Clones of volumes need btrfs'),
  })
  expect((await openLinuxVolume({ directory })).volumeClones).toBeUndefined()
})
