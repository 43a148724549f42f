import { type BigIntStats, constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { VolumeRefusal } from '@trivium/storage-core/ports'
import { hasCode } from '../files/error-code.ts'
import { heldPath } from '../files/volume-paths.ts'
import { findMount, type Mount } from '../mounts/mount-info.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants

/** The write permissions of the group and of others. */
const OTHERS_WRITE = 0o022n

/** The directory in which the clones of a volume are made. */
export interface CloneHome {
  readonly path: string
  /** Holds it open, and passes a path that leads to it. @throws VolumeRefusal where others can change its entries */
  hold<Result>(use: (directory: string) => Promise<Result>): Promise<Result>
}

/**
 * Finds the directory for clones, and its mount.
 *
 * @param volume the resolved path of the volume
 * @throws VolumeRefusal `unsupported` where no clone of that volume can be made in it
 */
export async function findCloneHome(
  directory: string,
  volume: string,
  volumeMount: Mount | undefined,
): Promise<{ readonly home: CloneHome; readonly mount: Mount }> {
  if (volumeMount?.fileSystem !== 'btrfs') {
    throw unsupported(`Clones of volumes need btrfs, and ${volume} is not on btrfs: leave cloneDirectory out`)
  }
  const path = await realpath(directory).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error
    throw unsupported(`${directory} does not exist: create it with 'mkdir -m 700'`)
  })
  if (contains(volume, path)) {
    throw unsupported(`${path} is in the volume ${volume}: create the directory for clones next to the volume`)
  }
  if (contains(path, volume)) {
    throw unsupported(`${path} contains the volume ${volume}: create the directory for clones next to the volume`)
  }
  const mount = await findMount(path)
  if (mount?.mountPoint !== volumeMount.mountPoint) {
    throw unsupported(
      `${path} is not in the mount ${volumeMount.mountPoint} of the volume: create the directory for clones in it`,
    )
  }
  const home: CloneHome = {
    path,
    async hold(use) {
      const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
        if (!hasCode(error, 'ENOTDIR') && !hasCode(error, 'ELOOP')) throw error
        throw unsupported(`${path} is not a directory: create it with 'mkdir -m 700'`)
      })
      try {
        refuseShared(path, await handle.stat({ bigint: true }))
        return await use(heldPath(handle))
      } finally {
        await handle.close()
      }
    },
  }
  await home.hold(async () => {})
  return { home, mount }
}

function refuseShared(path: string, { uid, mode }: BigIntStats): void {
  if (uid === BigInt(process.getuid?.() ?? 0) && (mode & OTHERS_WRITE) === 0n) return
  throw unsupported(`Others can change the entries of ${path}: run 'chown root' and 'chmod 700' on it`)
}

const contains = (outer: string, inner: string): boolean =>
  inner === outer || inner.startsWith(outer === '/' ? '/' : `${outer}/`)

const unsupported = (message: string) => new VolumeRefusal('unsupported', message)
