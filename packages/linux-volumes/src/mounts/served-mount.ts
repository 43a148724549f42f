import { VolumeRefusal } from '@trivium/storage-core/ports'
import { findMount, type Mount } from './mount-info.ts'

/** The mount that contains a volume, and what is opened for it. */
export interface ServedMount<Opened> {
  /** What was opened for the last mount. */
  readonly last: Opened
  /**
   * Sets the mount point of an earlier process, which a shorter one does not replace. Without effect where the volume is
   * not below it.
   *
   * @returns the mount point that is served from now on
   */
  expect(earlier: string | undefined): string
  /** @throws VolumeRefusal `failed` while the file system is not mounted, or another kind is */
  current(): Promise<Opened>
}

/**
 * Opens the file system of a volume, and opens it again after it was mounted again, also with other options. Without its mount, the directory is on
 * the file system above, which must not be changed.
 *
 * @param root the resolved path of the volume
 */
export async function serveMount<Opened>(
  root: string,
  open: (mount: Mount | undefined) => Promise<Opened>,
): Promise<ServedMount<Opened>> {
  let mount = await findMount(root)
  let last = await open(mount)
  let mountPoint = mount?.mountPoint ?? '/'
  return {
    get last() {
      return last
    },
    expect(earlier) {
      const contains = earlier === root || (earlier !== undefined && root.startsWith(`${earlier}/`))
      if (contains && earlier.length > mountPoint.length) mountPoint = earlier
      return mountPoint
    },
    async current() {
      const now = await findMount(root)
      if (!now || now.mountPoint.length < mountPoint.length) {
        throw new VolumeRefusal('failed', `The file system of ${root} is no longer mounted at ${mountPoint}`)
      }
      if (isSame(now, mount)) return last
      last = await open(now).catch((error: unknown) => {
        throw error instanceof VolumeRefusal ? new VolumeRefusal('failed', error.message) : error
      })
      mount = now
      mountPoint = now.mountPoint
      return last
    },
  }
}

const isSame = (now: Mount, before: Mount | undefined): boolean =>
  now.mountPoint === before?.mountPoint &&
  now.fileSystem === before.fileSystem &&
  now.source === before.source &&
  now.options.size === before.options.size &&
  [...now.options].every((option) => before.options.has(option))
