import { execFile } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { EnforcedLimit, VolumeBackend } from '@trivium/storage-core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const run = promisify(execFile)
const USER = 65534
const { signal } = new AbortController()

const limited = (qtree: string): EnforcedLimit => ({
  target: { kind: 'tree', qtree },
  limits: { spaceHard: 40 * 2 ** 20 },
})

describe.skipIf(!(await canMount('btrfs')))('a volume on btrfs whose subvolume names forge output lines', () => {
  let mount: LoopMount
  let volume: VolumeBackend
  const at = (path: string) => join(mount.directory, path)
  const idOf = async (path: string) => (await run('btrfs', ['inspect-internal', 'rootid', at(path)])).stdout.trim()
  const createAsUser = (path: string) => run('btrfs', ['subvolume', 'create', at(path)], { uid: USER, gid: USER })

  beforeAll(async () => {
    mount = await mountLoop('btrfs', 320)
    volume = await openLinuxVolume({ directory: mount.directory })
    for (const name of ['mine', 'other']) await volume.createQtree(name, { unixPermissions: 755 })
    chownSync(at('mine'), USER, USER)
    await volume.enableQuota([limited('mine'), limited('other')], { signal })
    const [mine, other] = [await idOf('mine'), await idOf('other')]
    await createAsUser(`mine/a\nID ${other} gen 9 top level ${mine} path b`)
    await createAsUser(`mine/a\nID ${mine} gen 9 top level ${mine} path b`)
    await createAsUser('mine/a\nb')
    await createAsUser('mine/a\n0')
    await createAsUser(`mine/a\n0/${other} 1 1 none none`)
    await createAsUser(`mine/a\n0/${mine} 1 1 none none`)
  })
  afterAll(() => mount.unmount())

  it('reads the limits and the usage of many qtrees', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const name of names) await volume.createQtree(name, { unixPermissions: 755 })
    const limits = names.map((qtree, index) => ({ ...limited(qtree), limits: { spaceHard: (40 + index) * 2 ** 20 } }))
    await volume.changeLimits({ clear: [], set: limits })
    await createAsUser(`mine/c\nID ${await idOf('six')} gen 9 top level 5 path one`)
    await createAsUser(`mine/c\nID ${await idOf('mine')} gen 9 top level 5 path two`)
    mkdirSync(at('mine/c\nID 9999 gen 9 top level 5 path x'))
    chownSync(at('mine/c\nID 9999 gen 9 top level 5 path x'), USER, USER)
    await createAsUser(`mine/c\nID 9999 gen 9 top level 5 path x/three`)
    writeFileSync(at('one/file'), Buffer.alloc(2 ** 20, 1))
    // One that has no ids yet.
    const reopened = await openLinuxVolume({ directory: mount.directory })
    expect(await reopened.inspect({ qtrees: names, limits })).toMatchObject({ missing: [], lost: [] })
    const [first, ...others] = names
    const usage = await reopened.usage({ files: false, owners: false, qtrees: names })
    const spaceOf = (name: string | undefined) =>
      usage.find(({ target }) => target.kind === 'tree' && target.qtree === name)?.space ?? 0
    expect(spaceOf(first)).toBeGreaterThan(2 ** 20)
    for (const name of others) expect(spaceOf(name)).toBeLessThan(2 ** 20)
    for (const name of names) await volume.removeQtree(name)
  })

  it('changes limits', async () => {
    await volume.changeLimits({ clear: [], set: [limited('other')] })
    const limits = [limited('mine'), limited('other')]
    expect(await volume.inspect({ qtrees: ['mine', 'other'], limits })).toMatchObject({ missing: [], lost: [] })
  })

  it('removes only the requested qtree', async () => {
    await volume.removeQtree('mine')
    expect(existsSync(at('mine'))).toBe(false)
    expect(existsSync(at('other'))).toBe(true)
    expect(await volume.inspect({ qtrees: ['other'], limits: [limited('other')] })).toMatchObject({ lost: [] })
  })
})
