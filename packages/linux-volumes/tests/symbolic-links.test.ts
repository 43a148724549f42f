import { execFile, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { VolumeBackend } from '@trivium/storage-core/ports'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const run = promisify(execFile)
const swapper = new URL('swapping-process.ts', import.meta.url)

/** Runs `work` while another process exchanges two names of a directory as fast as it can. */
async function whileSwapping(directory: string, names: readonly [string, string], work: () => Promise<void>) {
  const child = fork(swapper, [directory, ...names], { execArgv: ['--conditions=@trivium/source'] })
  await once(child, 'message')
  try {
    await work()
  } finally {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
}

describe.skipIf(!(await canMount('btrfs')))('a volume on btrfs whose users create links and special files', () => {
  let mount: LoopMount
  let volume: VolumeBackend
  let outside: string
  const at = (path: string) => join(mount.directory, path)

  beforeEach(async () => {
    mount = await mountLoop('btrfs', 320)
    volume = await openLinuxVolume({ directory: mount.directory })
    outside = mkdtempSync(join(tmpdir(), 'trivium-outside-'))
  })
  afterEach(async () => {
    await mount.unmount()
    rmSync(outside, { recursive: true })
  })

  it('refuses a link as a qtree, and changes and removes nothing at its target', async () => {
    const other = await mountLoop('btrfs', 320)
    onTestFinished(() => other.unmount())
    const outsideSubvolume = join(other.directory, 'foreign')
    execFileSync('btrfs', ['-q', 'subvolume', 'create', outsideSubvolume])
    chmodSync(outsideSubvolume, 0o700)
    symlinkSync(outsideSubvolume, at('qt'))
    const taken = { name: 'VolumeRefusal', reason: 'exists' }
    await expect(volume.createQtree('qt', { unixPermissions: 777 })).rejects.toMatchObject(taken)
    await expect(volume.changeQtree('qt', { unixPermissions: 777 })).rejects.toMatchObject({ name: 'VolumeRefusal' })
    await volume.removeQtree('qt')
    expect(statSync(outsideSubvolume).mode & 0o777).toBe(0o700)
    const limit = { target: { kind: 'tree', qtree: 'qt' }, limits: { spaceHard: 2 ** 20 } } as const
    for (const one of [other.directory, mount.directory]) execFileSync('btrfs', ['quota', 'enable', one])
    await volume.changeLimits({ clear: [], set: [limit] })
    expect(await volume.inspect({ qtrees: ['qt'], limits: [limit] })).toMatchObject({ missing: ['qt'], lost: [] })
    const groups = execFileSync('btrfs', ['qgroup', 'show', '-re', '--raw', other.directory], { encoding: 'utf8' })
    expect(groups).toContain('foreign')
    expect(groups).not.toContain(String(2 ** 20))
  })

  it('gives the clone of a program to its owner before it has contents and mode', async () => {
    writeFileSync(at('program'), Buffer.alloc(8192))
    chownSync(at('program'), 1, 1)
    chmodSync(at('program'), 0o4755)
    const seen = join(outside, 'seen')
    const script = `for file; do :; done; stat -L -c '%u:%g %a' "$file" >${seen}; exec /usr/sbin/xfs_io "$@"`
    writeFileSync(join(outside, 'xfs_io'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const watched = await openLinuxVolume({
      directory: mount.directory,
      programDirectories: [outside, '/usr/sbin', '/usr/bin', '/bin'],
    })
    const ranges = [{ sourceOffset: 0, destinationOffset: 0, length: 8192 }]
    await watched.cloneFile({ id: '1', source: 'program', destination: 'c', ranges, overwrite: false })
    expect(readFileSync(seen, 'utf8')).toBe('1:1 600\n')
    const { uid, mode } = statSync(at('c'))
    expect({ uid, mode: mode & 0o7777 }).toEqual({ uid: 1, mode: 0o4755 })
    await watched.forgetClone({ id: '1', destination: 'c' })
    expect(readdirSync(mount.directory).toSorted()).toEqual(['c', 'program'])
  })

  it('removes a qtree with subvolumes in it', async () => {
    await volume.createQtree('qt', { unixPermissions: 777 })
    for (const name of ['qt/own', 'qt/own/deep']) execFileSync('btrfs', ['-q', 'subvolume', 'create', at(name)])
    await volume.removeQtree('qt')
    expect(existsSync(at('qt'))).toBe(false)
  })

  it('refuses to rename a qtree over another, or over a directory', async () => {
    for (const name of ['a', 'b']) await volume.createQtree(name, { unixPermissions: 755 })
    mkdirSync(at('plain'))
    for (const name of ['b', 'plain']) {
      await expect(volume.renameQtree('a', name)).rejects.toMatchObject({ name: 'VolumeRefusal', reason: 'exists' })
    }
    expect((await volume.listQtrees()).toSorted()).toEqual(['a', 'b'])
  })

  it('clones nothing out of or into the volume when a directory becomes a link', { timeout: 60_000 }, async () => {
    writeFileSync(at('secret'), 'inside')
    writeFileSync(join(outside, 'secret'), 'outside')
    mkdirSync(at('d'))
    writeFileSync(at('d/secret'), 'inside')
    symlinkSync(outside, at('link'))
    let done = 0
    await whileSwapping(mount.directory, ['d', 'link'], async () => {
      for (let round = 0; round < 200; round += 1) {
        const out = { source: 'secret', destination: `d/c${round}`, overwrite: true }
        const into = { source: 'd/secret', destination: `c${round}`, overwrite: true }
        for (const request of [out, into]) {
          await volume.cloneFile({ id: crypto.randomUUID(), ...request }).then(
            () => {
              done += 1
            },
            (error: unknown) => expect(error).toMatchObject({ name: 'VolumeRefusal' }),
          )
        }
        if (existsSync(at(`c${round}`))) expect(readFileSync(at(`c${round}`), 'utf8')).toBe('inside')
      }
    })
    expect(done).toBeGreaterThan(0)
    expect(readdirSync(outside)).toEqual(['secret'])
  })

  it.each([
    ['a pipe', 'mknod', ['special', 'p']],
    ['a device', 'mknod', ['special', 'c', '1', '3']],
    ['a socket', 'python3', ['-c', 'import socket; socket.socket(socket.AF_UNIX).bind("special")']],
  ])('refuses to clone %s, or to overwrite it by a clone', async (_, program, args) => {
    writeFileSync(at('f'), 'content')
    await run(program, args, { cwd: mount.directory })
    const notAFile = { name: 'VolumeRefusal', reason: 'not-a-file' }
    await expect(
      volume.cloneFile({ id: crypto.randomUUID(), source: 'special', destination: 'c', overwrite: false }),
    ).rejects.toMatchObject(notAFile)
    await expect(
      volume.cloneFile({ id: crypto.randomUUID(), source: 'f', destination: 'special', overwrite: true }),
    ).rejects.toMatchObject(notAFile)
    expect(await volume.file('special')).toMatchObject({ kind: 'other' })
  })
})
