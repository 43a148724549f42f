import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { EnforcedLimit, VolumeBackend } from '@trivium/storage-core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const run = promisify(execFile)
const MiB = 2 ** 20
const { signal } = new AbortController()

describe.skipIf(!(await canMount('btrfs')))('a volume on btrfs that exceeds its limits', () => {
  let mount: LoopMount
  let volume: VolumeBackend
  beforeEach(async () => {
    mount = await mountLoop('btrfs', 320)
    volume = await openLinuxVolume({ directory: mount.directory })
  })
  afterEach(() => mount.unmount())

  const at = (path: string) => join(mount.directory, path)
  const btrfs = async (...args: readonly string[]) => (await run('btrfs', args)).stdout
  const groupOf = async (path: string) => `0/${(await btrfs('inspect-internal', 'rootid', at(path))).trim()}`
  /** Reads the limit of a group from the kernel. */
  const limitOf = async (group: string) => {
    const line = (await btrfs('qgroup', 'show', '-re', '--raw', mount.directory)).match(
      new RegExp(`^${group}\\s+\\d+\\s+\\d+\\s+(\\S+)`, 'm'),
    )
    return line?.[1]
  }
  const fill = async (path: string, megabytes: number) => {
    await run('dd', ['if=/dev/urandom', `of=${at(path)}`, 'bs=1M', `count=${megabytes}`, 'conv=fsync'])
    await btrfs('filesystem', 'sync', mount.directory)
  }
  const limited = (qtree: string, spaceHard: number): EnforcedLimit => ({
    target: { kind: 'tree', qtree },
    limits: { spaceHard },
  })
  const change = (...set: readonly EnforcedLimit[]) => volume.changeLimits({ clear: [], set })

  it('changes the permissions of a qtree above its limit, and keeps the limit', async () => {
    await volume.createQtree('qt1', { unixPermissions: 755 })
    await volume.enableQuota([limited('qt1', 40 * MiB)], { signal })
    await fill('qt1/data', 20)
    await change(limited('qt1', 10 * MiB))
    await volume.changeQtree('qt1', { unixPermissions: 700 })
    expect(statSync(at('qt1')).mode & 0o777).toBe(0o700)
    expect(await limitOf(await groupOf('qt1'))).toBe(String(10 * MiB))
  })

  it('removes a qtree with subvolumes, all of them above their own limits', async () => {
    await volume.createQtree('qt1', { unixPermissions: 755 })
    await volume.enableQuota([limited('qt1', 40 * MiB)], { signal })
    const inside = ['qt1/inner', 'qt1/inner/innermost']
    for (const name of inside) await btrfs('subvolume', 'create', at(name))
    for (const name of inside) {
      await fill(`${name}/data`, 4)
      await btrfs('qgroup', 'limit', String(MiB), await groupOf(name), mount.directory)
    }
    await fill('qt1/data', 4)
    await change(limited('qt1', MiB))
    await volume.removeQtree('qt1')
    expect(await volume.listQtrees()).toEqual([])
  })

  it('changes and removes limits of qtrees whose group of a higher level is above its limit', async () => {
    for (const name of ['qt1', 'qt2']) await volume.createQtree(name, { unixPermissions: 755 })
    await volume.enableQuota([limited('qt1', 40 * MiB), limited('qt2', 40 * MiB)], { signal })
    for (const name of ['qt1', 'qt2']) await fill(`${name}/data`, 8)
    await btrfs('qgroup', 'create', '1/7', mount.directory)
    for (const name of ['qt1', 'qt2']) {
      await btrfs('qgroup', 'assign', '--no-rescan', await groupOf(name), '1/7', mount.directory).catch(() => undefined)
    }
    await btrfs('quota', 'rescan', '-w', mount.directory)
    await btrfs('qgroup', 'limit', String(2 * MiB), '1/7', mount.directory)
    await change(limited('qt1', 4 * MiB), limited('qt2', 4 * MiB))
    await change(limited('qt1', 2 * MiB))
    expect(await limitOf(await groupOf('qt1'))).toBe(String(2 * MiB))
    await volume.disableQuota()
    expect([await limitOf(await groupOf('qt1')), await limitOf(await groupOf('qt2'))]).toEqual(['none', 'none'])
    expect(await limitOf('1/7')).toBe(String(2 * MiB))
    await volume.enableQuota([limited('qt1', 2 * MiB), limited('qt2', 2 * MiB)], { signal })
    await volume.removeQtree('qt1')
    expect(await volume.listQtrees()).toEqual(['qt2'])
  })

  it('changes the limit of a qtree below its limit when the top-level subvolume is above its own', async () => {
    await volume.createQtree('qt1', { unixPermissions: 755 })
    await volume.enableQuota([limited('qt1', 40 * MiB)], { signal })
    await fill('data', 4)
    await btrfs('qgroup', 'limit', String(MiB), '0/5', mount.directory)
    await change(limited('qt1', 20 * MiB))
    expect(await limitOf(await groupOf('qt1'))).toBe(String(20 * MiB))
    await volume.disableQuota()
    expect(await limitOf(await groupOf('qt1'))).toBe('none')
  })

  it('clones a file out of a qtree that is above its limit', async () => {
    await volume.createQtree('qt1', { unixPermissions: 755 })
    await volume.enableQuota([limited('qt1', 40 * MiB)], { signal })
    await fill('qt1/data', 8)
    await change(limited('qt1', MiB))
    const clone = { id: crypto.randomUUID(), source: 'qt1/data', destination: 'clone', overwrite: false }
    expect(await volume.cloneFile(clone)).toMatchObject({ size: 8 * MiB })
    await volume.forgetClone(clone)
  })
})
