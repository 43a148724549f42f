import { execFileSync } from 'node:child_process'
import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { VolumeBackend } from '@trivium/storage-core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const MiB = 2 ** 20
const signal = new AbortController().signal

describe.skipIf(!(await canMount('xfs')))('a volume on xfs', () => {
  let mount: LoopMount
  let volume: VolumeBackend
  beforeAll(async () => {
    mount = await mountLoop('xfs', 1024)
    volume = await openLinuxVolume({ directory: mount.directory })
  })
  afterAll(() => mount.unmount())

  it('clones 256 MiB without using space, and splits the clone into its own blocks', async () => {
    const source = join(mount.directory, 'source')
    execFileSync('xfs_io', ['-f', '-c', 'pwrite -q -b 1m 0 256m', '-c', 'fsync', source])
    const before = await volume.space()
    const { identity } = await volume.cloneFile({
      id: crypto.randomUUID(),
      source: 'source',
      destination: 'clone',
      overwrite: false,
    })
    const clone = { path: 'clone', identity }
    expect((await volume.space()).used - before.used).toBeLessThan(MiB)
    expect(execFileSync('filefrag', ['-v', join(mount.directory, 'clone')], { encoding: 'utf8' })).toContain('shared')

    let position = 0
    for (let slices = 0; slices < 8; slices += 1) {
      const slice = await volume.unshare(clone, { position, maximum: 64 * MiB, signal })
      if (!slice) throw new Error('The clone no longer exists.')
      expect(slice.unshared).toBeLessThanOrEqual(64 * MiB)
      position = slice.position
      if (slice.done) break
    }
    expect((await volume.fileBlocks(clone))?.shared).toBe(0)
    expect((await volume.space()).used - before.used).toBeGreaterThan(255 * MiB)
    expect(readFileSync(join(mount.directory, 'clone')).equals(readFileSync(source))).toBe(true)
  })

  it('keeps the holes of a clone when it splits it', async () => {
    const sparse = join(mount.directory, 'sparse')
    execFileSync('xfs_io', ['-f', '-c', 'pwrite -q 0 1m', '-c', 'fsync', sparse])
    truncateSync(sparse, 100 * MiB)
    const { identity } = await volume.cloneFile({
      id: crypto.randomUUID(),
      source: 'sparse',
      destination: 'sparse-clone',
      overwrite: false,
    })
    const before = await volume.space()
    expect(
      await volume.unshare({ path: 'sparse-clone', identity }, { position: 0, maximum: 200 * MiB, signal }),
    ).toMatchObject({
      unshared: MiB,
      done: true,
    })
    expect((await volume.space()).used - before.used).toBeLessThan(2 * MiB)
  })

  it('names the mount options in its refusal where quotas are off', async () => {
    await expect(volume.enableQuota([], { signal })).rejects.toMatchObject({
      name: 'VolumeRefusal',
      reason: 'not-permitted',
      message: expect.stringContaining('prjquota'),
    })
  })
})

describe.skipIf(!(await canMount('ext4')))('a volume on ext4', () => {
  it('refuses to clone files', async () => {
    const mount = await mountLoop('ext4', 64)
    try {
      const volume = await openLinuxVolume({ directory: mount.directory })
      execFileSync('cp', ['/etc/hostname', join(mount.directory, 'a')])
      expect(await volume.capabilities()).toMatchObject({ fileSystem: 'ext4', clones: false })
      await expect(
        volume.cloneFile({ id: crypto.randomUUID(), source: 'a', destination: 'b', overwrite: false }),
      ).rejects.toMatchObject({
        reason: 'unsupported',
      })
      expect(await volume.file('b')).toBeUndefined()
    } finally {
      await mount.unmount()
    }
  })
})

it('openLinuxVolume refuses a missing directory, and one on another file system', async () => {
  await expect(openLinuxVolume({ directory: '/proc' })).rejects.toMatchObject({ reason: 'unsupported' })
  await expect(openLinuxVolume({ directory: '/does/not/exist' })).rejects.toMatchObject({ reason: 'not-found' })
})
