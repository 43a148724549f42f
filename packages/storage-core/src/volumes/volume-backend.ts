import type { QuotaLimitName, QuotaLimits } from '../quota-rules/quota-limits.ts'
import type { Principal } from '../quota-rules/quota-target.ts'

/**
 * The file system under one volume. The core calls the methods that change quotas, or qtrees, one at a time.
 *
 * Paths are relative to the volume, with `/` between names; the core has refused absolute ones and `..`, the backend
 * refuses those that leave the volume by a symbolic link. Whatever the caller can be told rejects with a
 * `VolumeRefusal`; any other rejection is a fault.
 */
export interface VolumeBackend {
  capabilities(): Promise<VolumeCapabilities>
  space(): Promise<VolumeSpace>

  /** Which of these limits it cannot enforce; changes nothing. Limits that only track count too. */
  unsupported(limits: readonly EnforcedLimit[]): Promise<readonly UnsupportedLimit[]>
  /**
   * Counts what is used and then enforces exactly these limits, whatever was enforced before. Safe to call again after
   * a crash in the middle. Stops with a rejection, and nothing enforced, when the signal aborts. Limits of qtrees that
   * the file system does not have are left out.
   *
   * @throws VolumeRefusal `unsupported` with nothing changed
   */
  enableQuota(limits: readonly EnforcedLimit[], options: EnableQuotaOptions): Promise<void>
  /** Enforces nothing from then on. Without effect while quotas are off. */
  disableQuota(): Promise<void>
  /**
   * Changes some limits while the others stay enforced. It is in effect when this resolves. `clear` ends whatever is
   * enforced for a target, and leaves alone a target that has nothing; it comes first. Limits of qtrees that the file
   * system does not have are left out.
   *
   * @throws VolumeRefusal `unsupported` with nothing changed
   */
  changeLimits(change: LimitsChange): Promise<void>
  /**
   * Compares the file system with what it should be. Changes nothing, and costs little: it is asked once a minute, also
   * while nothing happens. May be called at any time, and beside any other method.
   */
  inspect(expected: ExpectedVolume): Promise<VolumeCondition>
  /**
   * What is used, for every qtree, and for every user and group that owns anything; in the whole volume, and in each
   * qtree where {@link VolumeCapabilities.usersPerQtree}. Only while quotas are on.
   */
  usage(): Promise<readonly QuotaUsage[]>
  /**
   * Tells of limits as they are passed, until the answered function is called. Where it is missing, the core looks at
   * the usage from time to time.
   */
  watchQuota?(listener: (notice: QuotaNotice) => void): () => void

  /** The names of the qtrees that the file system has. */
  listQtrees(): Promise<readonly string[]>
  /** Without effect when it exists. @throws VolumeRefusal `exists` when another kind of file has the name */
  createQtree(name: string, settings: QtreeSettings): Promise<void>
  changeQtree(name: string, settings: Partial<QtreeSettings>): Promise<void>
  /** Without effect when `from` is absent and `to` is there. What is enforced for it stays so under the new name. */
  renameQtree(from: string, to: string): Promise<void>
  /** Removes it with everything in it. Without effect when it is absent. */
  removeQtree(name: string): Promise<void>

  /** @returns `undefined` when nothing is there */
  file(path: string): Promise<FileStatus | undefined>
  /**
   * Makes the destination share the blocks of the source: all of it, or the ranges, which lie inside the source and
   * start and end at multiples of {@link BLOCK_SIZE} except at the source's end. Ranges are written into an existing
   * destination, or into a new one that is as long as they need. A new file is there as a whole or not at all, also
   * after a crash; ranges that go into an existing one are written one after the other.
   *
   * Asking again with the same {@link CloneFileRequest.id} answers the file that the first time has made, until
   * {@link forgetClone}.
   *
   * @throws VolumeRefusal `not-found`, `exists` without `overwrite`, `not-a-file`, `no-space`, `quota-exceeded`,
   *   `outside-volume`, `unsupported`
   */
  cloneFile(request: CloneFileRequest): Promise<ClonedFile>
  /** The clone is recorded: nobody will ask for it again. Without effect for one that is forgotten, or was never made. */
  forgetClone(clone: Pick<CloneFileRequest, 'id' | 'destination'>): Promise<void>
  /** How many bytes of a file share their blocks with another file. @returns `undefined` when that file is gone */
  sharedBytes(file: FileIdentity): Promise<number | undefined>
  /**
   * Gives the file blocks of its own for at most `maximum` bytes that are shared, at or behind `position`. The file's
   * contents stay; holes stay holes. Stops early, with what it has done, when the signal aborts.
   *
   * @returns `undefined` when that file is gone
   * @throws VolumeRefusal `no-space`, `quota-exceeded`
   */
  unshare(file: FileIdentity, slice: UnshareSlice): Promise<UnsharedSlice | undefined>
}

/** The unit of clone ranges, in bytes. */
export const BLOCK_SIZE = 4096

/** What the file system can do. What it can't is refused when a client asks for it. */
export interface VolumeCapabilities {
  /** `btrfs`, `xfs`, `ext4`, `simulated`. */
  readonly fileSystem: string
  readonly qtrees: boolean
  readonly clones: boolean
  /** Users and groups can be limited and counted inside one qtree. */
  readonly usersPerQtree: boolean
}

/** Bytes. */
export interface VolumeSpace {
  readonly size: number
  readonly used: number
  readonly available: number
}

/** One limit as a file system enforces it: default rules are worked out already as far as that can be. */
export interface EnforcedLimit {
  readonly target: LimitTarget
  /** With none at all the target is only counted. */
  readonly limits: QuotaLimits
}

/** What a limit holds for: the whole volume, or one qtree where it is named. */
export type LimitTarget =
  | { readonly kind: 'tree'; readonly qtree: string }
  /** Each user that no `users` limit of the same scope names, except uid 0. */
  | { readonly kind: 'every-user'; readonly qtree?: string }
  /** These users together. */
  | { readonly kind: 'users'; readonly users: readonly [Principal, ...Principal[]]; readonly qtree?: string }
  /** Each group that no `group` limit of the same scope names, except gid 0. */
  | { readonly kind: 'every-group'; readonly qtree?: string }
  | { readonly kind: 'group'; readonly group: Principal; readonly qtree?: string }

/** A limit that the file system can't enforce, and why. */
export interface UnsupportedLimit {
  readonly target: LimitTarget
  /** The limits that can't be enforced; empty where the target itself can't. */
  readonly limits: readonly QuotaLimitName[]
  /** Half a sentence: `btrfs has no file limits`. */
  readonly reason: string
}

/** What surrounds a scan, which may take long. */
export interface EnableQuotaOptions {
  /** Aborts when the storage closes. */
  readonly signal: AbortSignal
  /** Told of the scan, in units of its own. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Limits to take away and to set, in that order. */
export interface LimitsChange {
  readonly clear: readonly LimitTarget[]
  readonly set: readonly EnforcedLimit[]
}

/** What a file system should have, and enforce. */
export interface ExpectedVolume {
  /** By their names. */
  readonly qtrees: readonly string[]
  /** All that should be enforced; of each only the hard limits are compared. */
  readonly limits: readonly EnforcedLimit[]
}

/** How a file system differs from an {@link ExpectedVolume}. */
export type VolumeCondition =
  /** It is not there: unmounted, deleted, or another one is in its place. The reason is a sentence. */
  | { readonly state: 'offline'; readonly reason: string }
  | {
      readonly state: 'online'
      /** `false` where limits are expected, and quotas are switched off in the file system itself: none can hold. */
      readonly enforces: boolean
      /** The names of expected qtrees that it does not have. */
      readonly missing: readonly string[]
      /** The expected limits that do not hold as they are given; those of missing qtrees are not among them. */
      readonly lost: readonly EnforcedLimit[]
    }

/** What a target uses now. */
export interface QuotaUsage {
  readonly target: UsageTarget
  /** Bytes. */
  readonly space: number
  readonly files: number
}

/** A limit was passed, or the usage is back under a soft one. */
export interface QuotaNotice {
  readonly type: 'soft-limit-exceeded' | 'soft-limit-normal' | 'hard-limit-exceeded'
  readonly target: LimitTarget
  /** The one of a target that stands for many: whoever passed the limit. */
  readonly principal?: KnownPrincipal
  readonly limit: QuotaLimitName
  readonly used: number
  readonly allowed: number
}

/** What usage is counted for, with every user and group that has any. */
export type UsageTarget =
  | { readonly kind: 'tree'; readonly qtree: string }
  | { readonly kind: 'user'; readonly user: KnownPrincipal; readonly qtree?: string }
  | { readonly kind: 'group'; readonly group: KnownPrincipal; readonly qtree?: string }

/** A user or group as the operating system knows it. `id` is the number as text. */
export interface KnownPrincipal {
  readonly id: string
  /** Absent where the system has no name for the id. */
  readonly name?: string
}

/** What the file system itself keeps of a qtree. */
export interface QtreeSettings {
  /** Octal digits read as a decimal number, as chmod's 755. */
  readonly unixPermissions: number
}

/** What lies at a path of the volume. */
export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'other'
  /** Bytes. */
  readonly size: number
}

/** A clone to make. Paths are relative to the volume. */
export interface CloneFileRequest {
  /** Tells this clone from all others, and can be part of a file name. */
  readonly id: string
  readonly source: string
  readonly destination: string
  /** @default the whole file */
  readonly ranges?: readonly CloneRange[]
  readonly overwrite: boolean
}

/** Bytes, all of them. */
export interface CloneRange {
  readonly sourceOffset: number
  readonly destinationOffset: number
  readonly length: number
}

/** The destination of a clone that is done. */
export interface ClonedFile {
  /** Tells this file from a later one of the same path, an inode number say. */
  readonly identity: string
  /** Bytes. */
  readonly size: number
}

/** A file is gone when its path holds another identity. */
export interface FileIdentity {
  readonly path: string
  readonly identity: string
}

/** Bytes. */
export interface UnshareSlice {
  readonly position: number
  readonly maximum: number
  readonly signal: AbortSignal
}

/** What one step of a split did. Offsets are in bytes. */
export interface UnsharedSlice {
  /** Where the next slice starts. */
  readonly position: number
  /** How many bytes got blocks of their own. */
  readonly unshared: number
  /** Nothing behind the position is shared. */
  readonly done: boolean
}
