import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { serveMount } from '../src/mounts/served-mount.ts'
import { canMount, mountLoop } from './loop-mount.ts'

it.skipIf(!(await canMount('xfs')))(
  'openLinuxVolume refuses operations while its file system is not mounted',
  async () => {
    const mount = await mountLoop('xfs', 320)
    onTestFinished(() => mount.unmount())
    const { directory } = mount
    const volume = await openLinuxVolume({ directory })
    execFileSync('umount', [directory])
    const notMounted = {
      name: 'VolumeRefusal',
      reason: 'failed',
      message: expect.stringContaining('no longer mounted'),
    }
    await expect(volume.createQtree('qt1', { unixPermissions: 755 })).rejects.toMatchObject(notMounted)
    await expect(volume.space()).rejects.toMatchObject(notMounted)
    await expect(volume.file('f')).rejects.toMatchObject(notMounted)
    expect(readdirSync(directory)).toEqual([])
    execFileSync('mount', ['-o', 'loop', join(dirname(directory), 'image'), directory])
    expect((await volume.space()).size).toBeGreaterThan(100 * 2 ** 20)
  },
)

it.skipIf(!(await canMount('xfs')))(
  'openLinuxVolume ignores and replaces the draft of an interrupted qtree creation',
  async () => {
    const mount = await mountLoop('xfs', 320)
    onTestFinished(() => mount.unmount())
    const { directory } = mount
    const volume = await openLinuxVolume({ directory })
    const withoutPrograms = await openLinuxVolume({ directory, programDirectories: ['/nowhere'] })
    await expect(withoutPrograms.createQtree('qt1', { unixPermissions: 755 })).rejects.toMatchObject({
      reason: 'missing-program',
    })
    expect(readdirSync(directory)).toEqual([])
    execFileSync('mkdir', [join(directory, '.trivium-qtree')])
    expect(await volume.listQtrees()).toEqual([])
    await volume.createQtree('qt1', { unixPermissions: 755 })
    expect(await volume.listQtrees()).toEqual(['qt1'])
    expect(existsSync(join(directory, '.trivium-qtree'))).toBe(false)
    await volume.removeQtree('qt1')
    expect(readdirSync(directory)).toEqual([])
  },
)

it.skipIf(!(await canMount('xfs')))(
  'openLinuxVolume does not count users where the volume is a part of a file system',
  async () => {
    const mount = await mountLoop('xfs', 320)
    onTestFinished(() => mount.unmount())
    const directory = join(mount.directory, 'part')
    mkdirSync(directory)
    const [part, whole] = [await openLinuxVolume({ directory }), await openLinuxVolume({ directory: mount.directory })]
    const counting = [{ target: { kind: 'every-user' }, limits: {} }] as const
    expect(await part.unsupported(counting)).toMatchObject(counting.map(({ target }) => ({ target, limits: [] })))
    expect(await whole.unsupported(counting)).toEqual([])
  },
)

it.skipIf(!(await canMount('xfs')))(
  'a volume that is opened before its mount is offline until it is mounted, and leaves the directory under it unchanged',
  async () => {
    const outer = await mountLoop('xfs', 320)
    onTestFinished(() => outer.unmount())
    const inner = await mountLoop('xfs', 320)
    onTestFinished(() => inner.unmount())
    const directory = join(outer.directory, 'data')
    mkdirSync(directory)
    const mount = () => execFileSync('mount', ['--bind', inner.directory, directory])
    const umount = () => void execFileSync('umount', [directory])
    mount()
    expect(await (await openLinuxVolume({ directory })).expectMount?.(undefined)).toBe(directory)
    umount()

    const volume = await openLinuxVolume({ directory })
    expect(await volume.expectMount?.(directory)).toBe(directory)
    const expected = { qtrees: [], limits: [] }
    expect(await volume.inspect(expected)).toEqual({
      state: 'offline',
      reason: `The file system of ${directory} is no longer mounted at ${directory}`,
    })
    await expect(volume.createQtree('qt1', { unixPermissions: 755 })).rejects.toMatchObject({ reason: 'failed' })
    expect(readdirSync(directory)).toEqual([])

    mount()
    onTestFinished(umount)
    expect(await volume.inspect(expected)).toMatchObject({ state: 'online' })
    await volume.createQtree('qt1', { unixPermissions: 755 })
    expect(readdirSync(inner.directory)).toEqual(['qt1'])
  },
)

it.skipIf(!(await canMount('xfs')))(
  'a volume that got a mount of its own, or another directory, is served from there',
  async () => {
    const outer = await mountLoop('xfs', 320)
    onTestFinished(() => outer.unmount())
    const inner = await mountLoop('xfs', 320)
    onTestFinished(() => inner.unmount())
    const directory = join(outer.directory, 'data')
    mkdirSync(directory)
    const volume = await openLinuxVolume({ directory })
    expect(await volume.expectMount?.('/srv/elsewhere')).toBe(outer.directory)
    execFileSync('mount', ['--bind', inner.directory, directory])
    onTestFinished(() => void execFileSync('umount', [directory]))
    expect(await volume.inspect({ qtrees: [], limits: [] })).toMatchObject({ state: 'online' })
    expect(await volume.expectMount?.(outer.directory)).toBe(directory)
  },
)

it.skipIf(!(await canMount('ext4')))(
  'a file system without projects refuses qtrees, and names the remedy',
  async () => {
    const mount = await mountLoop('ext4', 320)
    onTestFinished(() => mount.unmount())
    const { directory } = mount
    const volume = await openLinuxVolume({ directory })
    await expect(volume.createQtree('qt1', { unixPermissions: 755 })).rejects.toMatchObject({
      reason: 'unsupported',
      message: expect.stringMatching(
        /made without projects, which qtrees need: .* 'tune2fs -O project,quota \/dev\/loop\d+'$/,
      ),
    })
    expect(readdirSync(directory)).toEqual(['lost+found'])
  },
)

it.skipIf(!(await canMount('xfs')))('a volume whose mount got other options is opened again, once', async () => {
  const mount = await mountLoop('xfs', 320)
  onTestFinished(() => mount.unmount())
  const opened: boolean[] = []
  const served = await serveMount(mount.directory, async (found) => opened.push(found?.options.has('noatime') ?? false))
  await served.current()
  execFileSync('mount', ['-o', 'remount,noatime', mount.directory])
  await served.current()
  await served.current()
  expect(opened).toEqual([false, true])
})
