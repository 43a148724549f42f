import type { Promisable } from 'type-fest'
import type { KnownPrincipal, VolumeBackend } from '../volumes/volume-backend.ts'

/** A new, empty volume of at least 256 MiB, and the means to use it as its users would. */
export interface VolumeHarness {
  readonly backend: VolumeBackend
  /** Two users that exist there, neither of them root, each with a group of its own of the same name and id. */
  readonly users: readonly [KnownPrincipal, KnownPrincipal]
  /**
   * Appends that many bytes, which are no holes and compress badly, to a file, as one of the users; and waits until the
   * file system has counted them. The file is made if it is absent, and so is its directory.
   *
   * @returns `refused` when the file system had no room or a quota was in the way, whatever was written before that
   */
  write(path: string, size: number, user: KnownPrincipal): Promise<'written' | 'refused'>
  /** Makes a file of that length with one byte at its end. */
  writeSparse(path: string, size: number): Promise<void>
  /** Removes a file, and waits until the file system has counted that. */
  remove(path: string): Promise<void>
  makeDirectory(path: string): Promise<void>
  link(path: string, target: string): Promise<void>
  /** Something that is equal for equal contents. */
  contents(path: string): Promise<string>
  readonly host: VolumeHost
}

/** What the administrator of the machine does to the volume, past the storage. */
export interface VolumeHost {
  unmount(): Promise<void>
  /** Mounts the same file system again. */
  mount(): Promise<void>
  /** Switches quotas off in the file system itself. */
  disableQuotas(): Promise<void>
  /** Switches them on again, without any limit. */
  enableQuotas(): Promise<void>
  /** Removes a qtree that is empty. */
  removeQtree(name: string): Promise<void>
}

/** Opens a volume that is new and empty. Each case asks for one. */
export type OpenVolume = () => Promisable<VolumeHarness>
