import type { Promisable } from 'type-fest'
import type { KnownPrincipal, VolumeBackend, VolumeClone } from '../volumes/volume-backend.ts'

/** A new, empty volume of at least 256 MiB, and the operations of its users. */
export interface VolumeHarness {
  readonly backend: VolumeBackend
  /** Two existing users other than root, each with a group of the same name and id. */
  readonly users: readonly [KnownPrincipal, KnownPrincipal]
  /**
   * Appends `size` bytes to a file as a user, and waits until the file system has counted them. The bytes are not holes
   * and compress badly. A missing file or directory is created.
   *
   * @returns `refused` when the file system is full or a quota is exceeded, even if a part was written
   */
  write(path: string, size: number, user: KnownPrincipal): Promise<'written' | 'refused'>
  /** Creates a file of `size` bytes with a single byte, at its end. */
  writeSparse(path: string, size: number): Promise<void>
  /** Removes a file, and waits until the file system has counted the removal. */
  remove(path: string): Promise<void>
  /** Creates a directory, whose parent exists. */
  makeDirectory(path: string): Promise<void>
  /** Creates a symbolic link. */
  link(path: string, target: string): Promise<void>
  /** Returns a text that is equal for files with equal contents. */
  contents(path: string): Promise<string>
  /** The operations of users in an existing clone of the volume. Absent where the volume cannot be cloned. */
  readonly inClone?: (clone: VolumeClone) => Pick<VolumeHarness, 'write' | 'contents'>
  readonly host: VolumeHost
}

/** What the administrator of the machine does to the volume, without the storage service. */
export interface VolumeHost {
  /**
   * Unmounts the file system. Until {@link mount}, `inspect` of the backend returns `offline` with a reason that contains
   * `mounted`, and operations on the file system reject with `failed`.
   */
  unmount(): Promise<void>
  /** Mounts the same file system again. */
  mount(): Promise<void>
  /** Switches quotas off in the file system itself, which loses every limit. */
  disableQuotas(): Promise<void>
  /** Switches quotas on again, without any limit. */
  enableQuotas(): Promise<void>
  /** Removes an empty qtree. */
  removeQtree(name: string): Promise<void>
}

/** Opens a new and empty volume. Called once by each case. */
export type OpenVolume = () => Promisable<VolumeHarness>
