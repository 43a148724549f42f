import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VolumeBackend } from '@trivium/storage-core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type LoopMount, mountLoop } from './loop-mount.ts'

const swapper = new URL('swapping-process.ts', import.meta.url)
const { signal } = new AbortController()
const mountable = { btrfs: await canMount('btrfs'), xfs: await canMount('xfs') }

/** An access list that gives user 7 the right to read, as the kernel stores it. */
const accessList = [
  '02000000',
  '01000600ffffffff',
  '0200040007000000',
  '04000400ffffffff',
  '10000400ffffffff',
  '20000000ffffffff',
].join('')

const setAttribute = (path: string, name: string, hex: string) =>
  execFileSync('python3', [
    '-c',
    'import os,sys; os.setxattr(sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3]))',
    path,
    name,
    hex,
  ])

const attributes = (path: string): unknown =>
  JSON.parse(
    execFileSync(
      'python3',
      [
        '-c',
        'import os,sys,json; p=sys.argv[1]; print(json.dumps({n: os.getxattr(p,n).hex() for n in sorted(os.listxattr(p))}))',
        path,
      ],
      { encoding: 'utf8' },
    ),
  )

describe.each(['btrfs', 'xfs'] as const)('a clone of a directory on %s', (name) => {
  let mount: LoopMount
  let volume: VolumeBackend
  const at = (path: string) => join(mount.directory, path)
  const clone = (source: string, destination: string, id: string = crypto.randomUUID()) => {
    const request = { id, source, destination, maximumEntries: 1000, maximumDepth: 100, signal }
    return { request, done: volume.cloneDirectory(request) }
  }

  beforeEach(async (context) => {
    context.skip(!mountable[name], `no ${name} loop mount here`)
    mount = await mountLoop(name, 320)
    volume = await openLinuxVolume({ directory: mount.directory })
  })
  afterEach(async () => {
    await mount?.unmount()
  })

  it('keeps owners, modes, times, attributes, access lists, links and names of any bytes', async () => {
    mkdirSync(at('d/inner'), { recursive: true })
    writeFileSync(at('d/program'), 'program')
    linkSync(at('d/program'), at('d/inner/second'))
    symlinkSync('../program', at('d/inner/link'))
    writeFileSync(Buffer.concat([Buffer.from(`${at('d')}/`), Buffer.from([0xff, 0x0a, 0x20])]), 'odd')
    for (const [path, owner, mode] of [
      ['d/program', 1, 0o4751],
      ['d/inner', 2, 0o2770],
      ['d', 3, 0o1755],
    ] as const) {
      chownSync(at(path), owner, owner + 10)
      chmodSync(at(path), mode)
    }
    setAttribute(at('d/program'), 'user.note', '00ff')
    setAttribute(at('d/program'), 'security.capability', '0100000200040000000000000000000000000000')
    setAttribute(at('d/inner'), 'user.of-directory', '01')
    setAttribute(at('d/inner'), 'system.posix_acl_default', accessList)
    setAttribute(at('d'), 'trusted.top', '02')
    for (const path of ['d/program', 'd/inner', 'd']) utimesSync(at(path), 1_000_000, 2_000_000)
    // A directory inherits the default list of the one that it is created in.
    mkdirSync(at('to'))
    setAttribute(at('to'), 'system.posix_acl_default', accessList)

    await clone('d', 'to/c').done
    for (const path of ['', '/program', '/inner', '/inner/second', '/inner/link']) {
      const [before, after] = [lstatSync(at(`d${path}`)), lstatSync(at(`to/c${path}`))]
      const facts = ({ uid, gid, mode, nlink, mtimeMs }: typeof before) => [uid, gid, mode, nlink, Math.round(mtimeMs)]
      expect(facts(after)).toEqual(facts(before))
      if (!before.isSymbolicLink()) expect(attributes(at(`to/c${path}`))).toEqual(attributes(at(`d${path}`)))
    }
    expect(readlinkSync(at('to/c/inner/link'))).toBe('../program')
    expect(statSync(at('to/c/program')).ino).toBe(statSync(at('to/c/inner/second')).ino)
    expect(readdirSync(at('to/c'), 'latin1').toSorted()).toEqual(readdirSync(at('d'), 'latin1').toSorted())
    expect(readFileSync(at('to/c/program'), 'utf8')).toBe('program')
  })

  it('builds the clone where only root can enter', async () => {
    mkdirSync(at('d'))
    writeFileSync(at('d/f'), 'content')
    chmodSync(at('d'), 0o777)
    const programs = mkdtempSync(join(tmpdir(), 'trivium-programs-'))
    const seen = join(programs, 'seen')
    const script = `cat >/dev/null; stat -c '%u %a' ${at('.clone-1')} >>${seen}`
    writeFileSync(join(programs, 'perl'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    volume = await openLinuxVolume({
      directory: mount.directory,
      programDirectories: [programs, '/usr/sbin', '/usr/bin', '/bin'],
    })
    await clone('d', 'c', '1').done
    expect(new Set(readFileSync(seen, 'utf8').trim().split('\n'))).toEqual(new Set(['0 700']))
    expect(statSync(at('c')).mode & 0o7777).toBe(0o777)
    rmSync(programs, { recursive: true })
  })

  it.each([
    ['a pipe', 'mknod', ['d/inner/special', 'p']],
    ['a device', 'mknod', ['d/inner/special', 'c', '1', '3']],
  ])('refuses %s by name, and leaves no part of the clone', async (_, program, args) => {
    mkdirSync(at('d/inner'), { recursive: true })
    writeFileSync(at('d/f'), 'content')
    execFileSync(program, args, { cwd: mount.directory })
    await expect(clone('d', 'c').done).rejects.toMatchObject({
      reason: 'not-a-file',
      message: "'inner/special' is a pipe, a socket or a device, which cannot be cloned",
    })
    expect(readdirSync(mount.directory)).toEqual(['d'])
  })

  it('replaces no empty directory that appears while the clone is built', async () => {
    mkdirSync(at('d'))
    writeFileSync(at('d/f'), 'content')
    const programs = mkdtempSync(join(tmpdir(), 'trivium-programs-'))
    writeFileSync(join(programs, 'sync'), `#!/bin/sh\nmkdir ${at('c')}\n`, { mode: 0o755 })
    volume = await openLinuxVolume({
      directory: mount.directory,
      programDirectories: [programs, '/usr/sbin', '/usr/bin', '/bin'],
    })
    const { ino } = statSync(at('d'))
    await expect(clone('d', 'c').done).rejects.toMatchObject({ reason: 'exists' })
    expect(readdirSync(mount.directory).toSorted()).toEqual(['c', 'd'])
    expect(readdirSync(at('c'))).toEqual([])
    expect(statSync(at('d')).ino).toBe(ino)
    rmSync(programs, { recursive: true })
  })

  it('builds the clone again after a process that was killed, which leaves no other trace', async () => {
    mkdirSync(at('d'))
    writeFileSync(at('d/f'), 'content')
    mkdirSync(at('.clone-1/half'), { recursive: true })
    writeFileSync(at('.clone-1/half/f'), 'half')
    const { request, done } = clone('d', 'c', '1')
    await done
    await volume.forgetClone(request)
    expect(readdirSync(mount.directory).toSorted()).toEqual(['c', 'd'])
    expect(readdirSync(at('c'))).toEqual(['f'])
  })

  it('removes the draft of a clone that is given up', async () => {
    mkdirSync(at('.clone-1/half'), { recursive: true })
    await volume.forgetClone({ id: '1', destination: 'c' })
    expect(readdirSync(mount.directory)).toEqual([])
  })

  it('clones nothing from outside when a directory in it becomes a link', { timeout: 60_000 }, async () => {
    const outside = mkdtempSync(join(tmpdir(), 'trivium-outside-'))
    writeFileSync(join(outside, 'f'), 'outside')
    mkdirSync(at('d/inner'), { recursive: true })
    writeFileSync(at('d/inner/f'), 'inside')
    symlinkSync(outside, at('d/link'))
    const child = fork(swapper, [at('d'), 'inner', 'link'], { execArgv: ['--conditions=@trivium/source'] })
    await once(child, 'message')
    let cloned = 0
    try {
      for (let round = 0; round < 60; round += 1) {
        const outcome = await clone('d', `c${round}`).done.catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'VolumeRefusal' })
        else cloned += 1
      }
    } finally {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    }
    expect(cloned).toBeGreaterThan(0)
    for (const clonedName of readdirSync(mount.directory).filter((entry) => entry !== 'd')) {
      expect(clonedName).toMatch(/^c\d+$|^\.clone-.*-done$/)
      for (const entry of ['inner', 'link', 'inner.between']) {
        const path = at(`${clonedName}/${entry}`)
        if (!existsSync(path) || lstatSync(path).isSymbolicLink()) continue
        expect(readFileSync(`${path}/f`, 'utf8')).toBe('inside')
      }
    }
    expect(readdirSync(outside)).toEqual(['f'])
    rmSync(outside, { recursive: true })
  })
})
