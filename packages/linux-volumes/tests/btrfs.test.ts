import { execFile } from 'node:child_process'
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { EnforcedLimit, VolumeBackend } from '@trivium/storage-core/ports'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const run = promisify(execFile)
const MiB = 2 ** 20
const signal = new AbortController().signal

/** Appends to a file until the file system refuses. @returns the number of written bytes */
function fill(path: string, maximum: number): number {
  const file = openSync(path, 'a')
  const block = Buffer.alloc(64 * 1024, 1)
  let written = 0
  try {
    while (written < maximum) {
      written += writeSync(file, block)
      fsyncSync(file)
    }
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error && error.errno === -122)) throw error
  } finally {
    closeSync(file)
  }
  return written
}

describe.skipIf(!(await canMount('btrfs')))('a volume on btrfs', () => {
  let mount: LoopMount
  let volume: VolumeBackend
  beforeEach(async () => {
    mount = await mountLoop('btrfs', 320)
    volume = await openLinuxVolume({ directory: mount.directory })
  })
  afterEach(() => mount.unmount())

  const limited = async (megabytes: number) => {
    await volume.createQtree('qt1', { unixPermissions: 750 })
    await volume.enableQuota([{ target: { kind: 'tree', qtree: 'qt1' }, limits: { spaceHard: megabytes * MiB } }], {
      signal,
    })
  }

  it('stops a writer at the limit, and lets it continue after the limit was raised', async () => {
    await limited(10)
    const path = join(mount.directory, 'qt1', 'data')
    const first = fill(path, 64 * MiB)
    expect(first).toBeGreaterThan(9 * MiB)
    expect(first).toBeLessThanOrEqual(10 * MiB)

    await volume.changeLimits({
      clear: [],
      set: [{ target: { kind: 'tree', qtree: 'qt1' }, limits: { spaceHard: 20 * MiB } }],
    })
    const { stdout } = await run('btrfs', ['qgroup', 'show', '-re', '--raw', mount.directory])
    expect(stdout).toContain(String(20 * MiB))
    expect(first + fill(path, 64 * MiB)).toBeGreaterThan(19 * MiB)
  })

  it('reports usage by tree, by user and by group', async () => {
    await limited(10)
    const path = join(mount.directory, 'qt1', 'data')
    writeFileSync(path, Buffer.alloc(MiB, 1))
    await run('chown', ['4711:4712', path])
    const usage = await volume.usage()
    const tree = usage.find(({ target }) => target.kind === 'tree')
    expect(tree).toMatchObject({ target: { qtree: 'qt1' }, files: 2 })
    expect(tree?.space).toBeGreaterThanOrEqual(MiB)
    expect(tree?.space).toBeLessThan(MiB + 64 * 1024)
    expect(usage).toContainEqual({ target: { kind: 'user', user: { id: '4711' } }, space: MiB, files: 1 })
    expect(usage).toContainEqual({ target: { kind: 'group', group: { id: '4712' } }, space: MiB, files: 1 })
  })

  it('enforces no limits while quotas are off, and only the new ones once they are on again', async () => {
    await limited(1)
    await volume.disableQuota()
    const path = join(mount.directory, 'qt1', 'data')
    expect(fill(path, 2 * MiB)).toBe(2 * MiB)
    await volume.createQtree('qt2', { unixPermissions: 755 })
    await volume.enableQuota([{ target: { kind: 'tree', qtree: 'qt2' }, limits: { spaceHard: MiB } }], { signal })
    expect(fill(path, 2 * MiB)).toBe(2 * MiB)
    expect(fill(join(mount.directory, 'qt2', 'data'), 4 * MiB)).toBeLessThanOrEqual(MiB)
  })

  it('keeps the limit of a qtree that is renamed', async () => {
    await limited(1)
    await volume.renameQtree('qt1', 'renamed')
    expect(await volume.listQtrees()).toEqual(['renamed'])
    expect(fill(join(mount.directory, 'renamed', 'data'), 4 * MiB)).toBeLessThanOrEqual(MiB)
    await volume.removeQtree('renamed')
    expect(await volume.listQtrees()).toEqual([])
  })

  it.each([
    [{ target: { kind: 'tree', qtree: 'qt1' }, limits: { filesHard: 3 } }, ['filesHard']],
    [{ target: { kind: 'users', users: [{ name: 'root' }] }, limits: { spaceHard: MiB } }, []],
    [{ target: { kind: 'group', group: { id: '4' }, qtree: 'qt1' }, limits: {} }, []],
  ] as const)('refuses a limit that btrfs cannot enforce: %o', async (limit, limits) => {
    await volume.createQtree('qt1', { unixPermissions: 755 })
    expect(await volume.unsupported([limit])).toMatchObject([{ target: limit.target, limits }])
    await expect(volume.enableQuota([limit], { signal })).rejects.toMatchObject({
      name: 'VolumeRefusal',
      reason: 'unsupported',
    })
  })

  it.each([
    ['one program', ['btrfs', 'perl']],
    ['a program for each', ['btrfs', 'xargs']],
  ])('sets, changes and removes the limits of many qtrees by %s', async (_, programs) => {
    const directory = mkdtempSync(join(tmpdir(), 'trivium-programs-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    for (const program of programs) symlinkSync(`/usr/bin/${program}`, join(directory, program))
    const ofPrograms = await openLinuxVolume({ directory: mount.directory, programDirectories: [directory] })
    const qtrees = Array.from({ length: 6 }, (_, index) => `qt${index}`)
    for (const qtree of qtrees) await ofPrograms.createQtree(qtree, { unixPermissions: 755 })
    const limitAll = (extra: number): readonly EnforcedLimit[] =>
      qtrees.map((qtree, index) => ({
        target: { kind: 'tree', qtree },
        limits: { spaceHard: (2 ** 13 + extra + index) * MiB },
      }))
    const lost = async (limits: readonly EnforcedLimit[]) => {
      const condition = await volume.inspect({ qtrees, limits })
      return condition.state === 'online' ? condition.lost : condition.reason
    }
    await ofPrograms.enableQuota(limitAll(0), { signal })
    expect(await lost(limitAll(0))).toEqual([])
    await ofPrograms.changeLimits({ clear: [], set: limitAll(10) })
    expect(await lost(limitAll(10))).toEqual([])
    await ofPrograms.disableQuota()
    const unlimited = limitAll(0).map(({ target }): EnforcedLimit => ({ target, limits: {} }))
    expect(await lost(unlimited)).toEqual([])
  })

  it('clones by sharing blocks, and splits in slices until none are shared', async () => {
    const source = join(mount.directory, 'a')
    const content = Buffer.alloc(8 * MiB, 'trivium')
    writeFileSync(source, content)
    const clone = await volume.cloneFile({ id: crypto.randomUUID(), source: 'a', destination: 'b', overwrite: false })
    expect(clone.size).toBe(8 * MiB)
    const file = { path: 'b', identity: clone.identity }
    expect((await volume.fileBlocks(file))?.shared).toBe(8 * MiB)
    const first = await volume.unshare(file, { position: 0, maximum: 3 * MiB, signal })
    expect(first).toEqual({ position: 3 * MiB, unshared: 3 * MiB, done: false })
    expect((await volume.fileBlocks(file))?.shared).toBe(5 * MiB)
    expect(await volume.unshare(file, { position: 3 * MiB, maximum: 64 * MiB, signal })).toMatchObject({
      unshared: 5 * MiB,
      done: true,
    })
    expect((await volume.fileBlocks(file))?.shared).toBe(0)
    expect(readFileSync(join(mount.directory, 'b')).equals(content)).toBe(true)
  })

  it('clones ranges', async () => {
    writeFileSync(join(mount.directory, 'a'), Buffer.concat([Buffer.alloc(8192, 'a'), Buffer.alloc(8192, 'b')]))
    await volume.cloneFile({
      id: crypto.randomUUID(),
      source: 'a',
      destination: 'c',
      overwrite: false,
      ranges: [{ sourceOffset: 8192, destinationOffset: 4096, length: 8192 }],
    })
    const clone = readFileSync(join(mount.directory, 'c'))
    expect(clone.length).toBe(4096 + 8192)
    expect(clone.subarray(4096).equals(Buffer.alloc(8192, 'b'))).toBe(true)
  })

  it('replaces an existing file only when overwrite is true', async () => {
    writeFileSync(join(mount.directory, 'a'), 'new')
    writeFileSync(join(mount.directory, 'b'), 'old')
    await expect(
      volume.cloneFile({ id: crypto.randomUUID(), source: 'a', destination: 'b', overwrite: false }),
    ).rejects.toMatchObject({
      reason: 'exists',
    })
    expect(readFileSync(join(mount.directory, 'b'), 'utf8')).toBe('old')
    await volume.cloneFile({ id: crypto.randomUUID(), source: 'a', destination: 'b', overwrite: true })
    expect(readFileSync(join(mount.directory, 'b'), 'utf8')).toBe('new')
  })

  it('distinguishes a clone from a later file with the same name', async () => {
    writeFileSync(join(mount.directory, 'a'), 'content')
    const { identity } = await volume.cloneFile({
      id: crypto.randomUUID(),
      source: 'a',
      destination: 'b',
      overwrite: false,
    })
    await volume.cloneFile({ id: crypto.randomUUID(), source: 'a', destination: 'b', overwrite: true })
    expect((await volume.fileBlocks({ path: 'b', identity }))?.shared).toBeUndefined()
    expect(await volume.unshare({ path: 'gone', identity }, { position: 0, maximum: 1, signal })).toBeUndefined()
  })

  it.each([
    'link/passwd',
    'chain/link/passwd',
    '../image',
    'a/../../image',
    'file-link',
  ])('refuses to clone from or to the path %s, which leads out of the volume', async (path) => {
    symlinkSync('/etc', join(mount.directory, 'link'))
    symlinkSync('.', join(mount.directory, 'chain'))
    symlinkSync('/etc/passwd', join(mount.directory, 'file-link'))
    writeFileSync(join(mount.directory, 'ordinary'), 'x')
    await expect(
      volume.cloneFile({ id: crypto.randomUUID(), source: path, destination: 'stolen', overwrite: true }),
    ).rejects.toMatchObject({
      name: 'VolumeRefusal',
    })
    await expect(
      volume.cloneFile({ id: crypto.randomUUID(), source: 'ordinary', destination: path, overwrite: true }),
    ).rejects.toMatchObject({
      name: 'VolumeRefusal',
    })
    expect(await volume.file('stolen')).toBeUndefined()
  })
})
