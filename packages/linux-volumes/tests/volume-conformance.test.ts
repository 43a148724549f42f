import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  type VolumeHarness,
  volumeBackendConformance,
  volumeClonesConformance,
  volumeOwnersConformance,
  volumePathsConformance,
} from '@trivium/storage-core/conformance'
import { afterEach, describe } from 'vitest'
import { openLinuxVolume } from '../src/index.ts'
import { canMount, type FileSystemName, type LoopMount, mountLoop } from './loop-mount.ts'

const run = promisify(execFile)

const mounts: LoopMount[] = []
afterEach(async () => {
  for (const mount of mounts.splice(0)) await mount.unmount()
})

const settle = (directory: string) => run('sync', ['-f', directory])

/** The operations of users in a directory of a mounted file system. */
const filesIn = (directory: string): Pick<VolumeHarness, 'write' | 'contents'> => ({
  async write(path, size, { id }) {
    const file = join(directory, path)
    const parent = dirname(file)
    mkdirSync(parent, { recursive: true })
    // Even root cannot change a qtree that is above its limit.
    if ((statSync(parent).mode & 0o777) !== 0o777) chmodSync(parent, 0o777)
    const dd = spawnSync(
      'dd',
      [
        'if=/dev/urandom',
        `of=${file}`,
        'bs=64K',
        `count=${size}`,
        'iflag=count_bytes,fullblock',
        'oflag=append',
        'conv=notrunc,fsync',
      ],
      { uid: Number(id), gid: Number(id), encoding: 'utf8' },
    )
    await settle(directory)
    if (dd.status === 0) return 'written'
    if (/quota exceeded|no space left/i.test(dd.stderr)) return 'refused'
    throw new Error(dd.stderr)
  },
  contents: async (path) =>
    createHash('sha256')
      .update(readFileSync(join(directory, path)))
      .digest('hex'),
})

/** Opens a volume that is a whole file system on xfs, and a subvolume next to a directory for clones on btrfs. */
async function open(fileSystem: FileSystemName): Promise<VolumeHarness> {
  const mount = await mountLoop(fileSystem, 512)
  mounts.push(mount)
  const isBtrfs = fileSystem === 'btrfs'
  const directory = isBtrfs ? join(mount.directory, 'volume') : mount.directory
  const cloneDirectory = join(mount.directory, 'clones')
  if (isBtrfs) {
    await run('btrfs', ['subvolume', 'create', directory])
    mkdirSync(cloneDirectory, 0o755)
  }
  const at = (path: string) => join(directory, path)
  return {
    backend: await openLinuxVolume({ directory, ...(isBtrfs && { cloneDirectory }) }),
    users: [
      { id: '1', name: 'daemon' },
      { id: '2', name: 'bin' },
    ],
    ...filesIn(directory),
    async writeSparse(path, size) {
      await run('dd', ['if=/dev/urandom', `of=${at(path)}`, 'bs=1', 'count=1', `seek=${size - 1}`, 'conv=fsync'])
    },
    async remove(path) {
      rmSync(at(path))
      await settle(directory)
    },
    makeDirectory: async (path) => void mkdirSync(at(path)),
    link: async (path, target) => symlinkSync(target, at(path)),
    ...(isBtrfs && { inClone: ({ name }) => filesIn(join(cloneDirectory, name)) }),
    host: {
      unmount: async () => void (await run('umount', [mount.directory])),
      mount: async () => void (await run('mount', ['-o', 'loop', mount.image, mount.directory])),
      disableQuotas: async () => void (await run('btrfs', ['quota', 'disable', mount.directory])),
      enableQuotas: async () => {
        await run('btrfs', ['quota', 'enable', mount.directory])
        await run('btrfs', ['quota', 'rescan', '-w', mount.directory])
      },
      removeQtree: async (name) => void (await run('btrfs', ['subvolume', 'delete', '--commit-after', at(name)])),
    },
  }
}

describe.skipIf(!(await canMount('btrfs')))('btrfs', () => volumeBackendConformance(() => open('btrfs')))

// Quotas of xfs need a kernel that supports them. The quota guest tests them.
describe.skipIf(!(await canMount('xfs')))('xfs', () => {
  volumeClonesConformance(() => open('xfs'))
  volumePathsConformance(() => open('xfs'))
  volumeOwnersConformance(() => open('xfs'))
})
