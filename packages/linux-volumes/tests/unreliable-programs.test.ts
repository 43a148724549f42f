import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnforcedLimit, VolumeBackend } from '@trivium/storage-core/ports'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const MiB = 2 ** 20
const signal = new AbortController().signal
const system = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']

describe.skipIf(!(await canMount('btrfs')))('a volume on btrfs', () => {
  let mount: LoopMount
  let volume: VolumeBackend
  const limited = { target: { kind: 'tree', qtree: 'qt1' }, limits: { spaceHard: 10 * MiB } } as const
  beforeAll(async () => {
    mount = await mountLoop('btrfs', 320)
    volume = await openLinuxVolume({ directory: mount.directory })
    await volume.createQtree('qt1', { unixPermissions: 755 })
    await volume.enableQuota([limited], { signal })
    writeFileSync(join(mount.directory, 'f'), 'x'.repeat(MiB))
  })
  afterAll(() => mount.unmount())

  /** Opens the same volume, with a script in place of some calls of a program. */
  const openWith = (program: string, calls: string, script: string, programTimeoutSeconds = 60) => {
    const directory = mkdtempSync(join(tmpdir(), 'trivium-programs-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const text = `#!/bin/sh\ncase "$*" in ${calls}) ${script};; *) PATH=${system.join(':')} exec ${program} "$@";; esac\n`
    writeFileSync(join(directory, program), text, { mode: 0o755 })
    const programDirectories = [directory, ...system]
    return openLinuxVolume({ directory: mount.directory, programDirectories, programTimeoutSeconds })
  }
  const groups = (line: string) =>
    `printf 'Qgroupid Referenced Exclusive Max referenced Max exclusive Path\\n-------- ---------- --------- -------------- ------------- ----\\n${line}\\n'`

  it.each([
    ['btrfs', '"qgroup show"*', 'true'],
    ['btrfs', '"qgroup show"*', 'echo quotas are fine'],
    ['btrfs', '"qgroup show"*', 'head -c 1000 /dev/urandom'],
    ['btrfs', '"qgroup show"*', groups('0/256 18446744073709535232 16384 none none qt1')],
    ['btrfs', '"qgroup show"*', groups('0/256 1.5MiB 16384 none none qt1')],
    ['btrfs', '"inspect-internal rootid"*', 'echo -1'],
    ['btrfs', '"inspect-internal rootid"*', 'true'],
    ['find', '*', 'echo 0 0 -8'],
    ['find', '*', 'echo 0 0 99999999999999999'],
    ['find', '*', 'printf "0 0 8\\n0 0"'],
    ['getent', '*', 'echo root'],
    ['getent', '*', 'echo root:x:none:0:::'],
  ])('refuses a usage report when %s %s is replaced by: %s', async (program, calls, script) => {
    const faulty = await openWith(program, calls, script)
    await expect(faulty.usage()).rejects.toMatchObject({
      name: 'VolumeRefusal',
      reason: 'failed',
      message: expect.stringContaining('not understood'),
    })
  })

  it.each([
    ['true', 'one'],
    ['echo f: 1 extent found', 'two'],
    ['PATH=/usr/sbin:/usr/bin:/sbin filefrag "$@" | head -n -1', 'three'],
  ])('splits nothing when filefrag is replaced by: %s', async (script, clone) => {
    const { identity } = await volume.cloneFile({ id: clone, source: 'f', destination: clone, overwrite: false })
    const faulty = await openWith('filefrag', '*', script)
    const slice = { position: 0, maximum: MiB, signal }
    const failed = { name: 'VolumeRefusal', reason: 'failed' }
    await expect(faulty.unshare({ path: clone, identity }, slice)).rejects.toMatchObject(failed)
    expect((await volume.fileBlocks({ path: clone, identity }))?.shared).toBe(MiB)
  })

  it.each([
    ['changeLimits', '"qgroup limit"*', (one: VolumeBackend) => one.changeLimits({ clear: [], set: [limited] })],
    ['createQtree', '"subvolume create"*', (one: VolumeBackend) => one.createQtree('qt2', { unixPermissions: 755 })],
    ['usage', '"qgroup show"*', (one: VolumeBackend) => one.usage()],
  ])('fails %s after programTimeoutSeconds when the program hangs', async (_, calls, step) => {
    const hanging = await openWith('btrfs', calls, 'sleep 1000', 0.5)
    await expect(step(hanging)).rejects.toMatchObject({
      name: 'VolumeRefusal',
      reason: 'failed',
      message: expect.stringContaining('took longer than 0.5 seconds'),
    })
    expect(await volume.listQtrees()).toEqual(['qt1'])
  })

  it('reads the usage of qtrees without a walk where neither files nor owners are needed', async () => {
    const withoutWalks = await openWith('find', '*', 'exit 1')
    const [tree, ...others] = await withoutWalks.usage({ files: false, owners: false })
    expect(tree).toEqual({ target: { kind: 'tree', qtree: 'qt1' }, space: expect.any(Number) })
    expect(others).toEqual([])
  })

  it('sets the limits of many qtrees when perl fails', async () => {
    const qtrees = Array.from({ length: 5 }, (_, index) => `many${index}`)
    for (const qtree of qtrees) await volume.createQtree(qtree, { unixPermissions: 755 })
    const limits = qtrees.map(
      (qtree): EnforcedLimit => ({ target: { kind: 'tree', qtree }, limits: { spaceHard: 20 * MiB } }),
    )
    const withoutPerl = await openWith('perl', '*', 'exit 1')
    await withoutPerl.changeLimits({ clear: [], set: limits })
    expect(await volume.inspect({ qtrees, limits })).toMatchObject({ missing: [], lost: [] })
    for (const qtree of qtrees) await volume.removeQtree(qtree)
  })

  it('names the package of a missing program', async () => {
    const withoutPrograms = await openLinuxVolume({ directory: mount.directory, programDirectories: ['/nowhere'] })
    await expect(withoutPrograms.usage()).rejects.toMatchObject({
      name: 'VolumeRefusal',
      reason: 'missing-program',
      message: expect.stringContaining('btrfs-progs'),
    })
  })
})
