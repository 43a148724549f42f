import type { QuotaLimitName, QuotaLimits } from '../quota-rules/quota-limits.ts'
import type { Principal } from '../quota-rules/quota-target.ts'
import type { Size } from '../sizes/size.ts'

/**
 * The file system under one volume. The core calls the methods that change quotas or qtrees one at a time.
 *
 * Paths are relative to the volume, with `/` between names. The core refuses absolute paths and `..`. The backend
 * refuses paths that leave the volume through a symbolic link. Failures that the client may see reject with a
 * `VolumeRefusal`. Any other rejection is a fault.
 */
export interface VolumeBackend {
  /** Returns the supported features, which do not change while it is mounted. Answers also while the file system is unmounted. */
  capabilities(): Promise<VolumeCapabilities>
  /**
   * Compares the mount point with that of an earlier process, which is `undefined` at the first start. The core calls
   * it once, before the methods that need the file system. Where the earlier one is no longer mounted, the volume is
   * offline until it is, so that a server that starts before its mounts does not use the directories under them. A
   * backend whose files cannot be replaced in this way does not have the method.
   *
   * @returns the mount point that is served, of at most 4,096 characters
   */
  expectMount?(earlier: string | undefined): Promise<string>
  /** Returns the current space. @throws VolumeRefusal `failed` while the file system is unmounted */
  space(): Promise<VolumeSpace>

  /** Returns the limits that it cannot enforce, also those that only count usage. Changes nothing. */
  unsupported(limits: readonly EnforcedLimit[]): Promise<readonly UnsupportedLimit[]>
  /**
   * Counts the usage and then enforces exactly these limits, in place of all earlier ones. Can be called again after a
   * crash. Rejects, with nothing enforced, when the signal aborts. Limits of qtrees that the file system does not have
   * are left out.
   *
   * @throws VolumeRefusal `unsupported` with nothing changed
   */
  enableQuota(limits: readonly EnforcedLimit[], options: EnableQuotaOptions): Promise<void>
  /** Ends the enforcement of all limits. Without effect while quotas are off. */
  disableQuota(): Promise<void>
  /**
   * Changes some limits while the others stay enforced. In effect when it resolves. `clear` is applied first, and
   * ignores targets without limits. Limits of qtrees that the file system does not have are left out.
   *
   * @throws VolumeRefusal `unsupported` with nothing changed
   */
  changeLimits(change: LimitsChange): Promise<void>
  /**
   * Compares the file system with its expected state. Changes nothing. It has to be cheap, because it is called every
   * 60 seconds by default. May be called at any time, also concurrently with any other method.
   */
  inspect(expected: ExpectedVolume): Promise<VolumeCondition>
  /**
   * Returns the usage of every qtree, and of every user and group that owns files, in the whole volume and, with
   * {@link VolumeCapabilities.usersPerQtree}, in each qtree. In any order. Called only while quotas are on.
   *
   * @param needs what is needed of it. A file system that counts something by a walk skips what is not needed
   */
  usage(needs?: UsageNeeds): Promise<readonly QuotaUsage[]>
  /**
   * Counts what each user owns in the named qtrees, which may take a walk over all of their files. Called only without
   * {@link VolumeCapabilities.usersPerQtree}. Without this method, users do not see the limits of qtrees as their own.
   *
   * @returns usage of users in qtrees, in any order. Qtrees that do not exist are left out
   */
  countTreeOwners?(qtrees: readonly string[], signal: AbortSignal): Promise<readonly QuotaUsage[]>
  /**
   * Notifies the listener of limits as they are passed, until the returned function is called. The core then compares
   * the usage with the soft limits. Without this method, it does so only every `usageSeconds`.
   */
  watchQuota?(listener: (notice: QuotaNotice) => void): () => void

  /** Lists the names of the qtrees in the file system, in any order. A plain directory is not a qtree. */
  listQtrees(): Promise<readonly string[]>
  /**
   * Creates a qtree. Without effect when it exists.
   *
   * @throws VolumeRefusal `exists` when another kind of file has the name
   */
  createQtree(name: string, settings: QtreeSettings): Promise<void>
  /** Changes the given settings of a qtree. @throws VolumeRefusal `not-found` */
  changeQtree(name: string, settings: Partial<QtreeSettings>): Promise<void>
  /** Renames a qtree with its enforced limits. Without effect when `from` does not exist and `to` does. */
  renameQtree(from: string, to: string): Promise<void>
  /** Removes a qtree with its files. Without effect when it does not exist. */
  removeQtree(name: string): Promise<void>

  /**
   * Returns the status of a file, or `undefined` when the path does not exist or has a name of more than 255
   * bytes.
   *
   * @throws VolumeRefusal `outside-volume`
   */
  file(path: string): Promise<FileStatus | undefined>
  /**
   * Makes the destination share the blocks of the source: of the whole file, or of ranges. Ranges are inside the
   * source, and start and end at multiples of {@link BLOCK_SIZE} except at the end of the source. They are cloned to an
   * existing file, or to a new one of the necessary length. The creation of a new file is atomic, also in a crash.
   * Ranges are cloned to an existing file one after the other.
   *
   * Until {@link forgetClone}, another call with the same {@link CloneFileRequest.id} returns the file of the first
   * call.
   *
   * @throws VolumeRefusal `not-found`, `exists` without `overwrite`, `not-a-file`, `no-space`, `quota-exceeded`,
   *   `outside-volume`, `unsupported`
   */
  cloneFile(request: CloneFileRequest): Promise<ClonedFile>
  /**
   * Clones a directory with everything in it: files share their blocks, directories and symbolic links are
   * created, and owners, modes, extended attributes and hard links are kept. Links are not followed. A qtree or a subvolume
   * becomes an ordinary directory, so its bytes count where the clone is. The destination appears complete or not at
   * all, also in a crash. What others change meanwhile is cloned as it is when its turn comes.
   *
   * Until {@link forgetClone}, another call with the same {@link CloneDirectoryRequest.id} returns the directory of the
   * first call. Rejects, with nothing left behind, when the signal aborts.
   *
   * @throws VolumeRefusal `not-found`, `exists`, `not-a-directory`, `too-large` above a bound of the request,
   *   `not-a-file` for a pipe, a socket or a device in it, `failed` for a clone into itself, `no-space`,
   *   `quota-exceeded`, `outside-volume`, `unsupported`
   */
  cloneDirectory(request: CloneDirectoryRequest): Promise<ClonedDirectory>
  /**
   * Ends the repeatability of a clone, and removes what an unfinished one has left. Without effect for a clone that is
   * forgotten or was never created.
   */
  forgetClone(clone: Pick<CloneFileRequest, 'id' | 'destination'>): Promise<void>
  /**
   * Counts the bytes of a file that share blocks with another file, and those that do not. Holes are in neither.
   *
   * @returns `undefined` when the file does not exist
   */
  fileBlocks(file: FileIdentity): Promise<FileBlocks | undefined>
  /**
   * Copies at most `maximum` shared bytes, at or after `position`, to blocks of the file's own. Contents and holes stay
   * unchanged. Returns early, with the progress so far, when the signal aborts.
   *
   * @returns `undefined` when the file does not exist
   * @throws VolumeRefusal `no-space`, `quota-exceeded`
   */
  unshare(file: FileIdentity, slice: UnshareSlice): Promise<UnsharedSlice | undefined>
  /** Clones of the whole volume. Absent where the host allows none, or the file system has none. */
  readonly volumeClones?: VolumeClones
}

/** The clones of a volume, which are volumes of their own. */
export interface VolumeClones {
  /**
   * Makes a clone with its qtrees, whose files share their blocks with those of the volume. It is complete or absent,
   * also in a crash. Another call with the same clone returns the same one. Limits are not cloned.
   *
   * @throws VolumeRefusal `exists` when something else has the name, `no-space`
   */
  create(clone: VolumeClone): Promise<VolumeBackend>
  /** Opens a clone. @returns `undefined` when it does not exist */
  open(clone: VolumeClone): Promise<VolumeBackend | undefined>
  /** Removes a clone with its qtrees and files. Without effect when it does not exist. */
  remove(clone: VolumeClone): Promise<void>
}

/** The clone of a volume. */
export interface VolumeClone {
  /** The id of its volume, of at most 64 characters that a file name can have. */
  readonly id: string
  /** A letter or `_`, and at most 202 letters, digits and `_`. */
  readonly name: string
}

/** The unit of clone ranges, in bytes. */
export const BLOCK_SIZE = 4096

/** The features of a file system. Requests for other features are refused. */
export interface VolumeCapabilities {
  /** Such as `btrfs`, `xfs`, `ext4` or `simulated`. */
  readonly fileSystem: string
  /** If not, {@link VolumeBackend.createQtree} rejects with `unsupported`. */
  readonly qtrees: boolean
  /** If not, {@link VolumeBackend.cloneFile} rejects with `unsupported`. */
  readonly clones: boolean
  /** Whether users and groups can be limited and counted inside a qtree. */
  readonly usersPerQtree: boolean
}

/** The space of a volume, in bytes. */
export interface VolumeSpace {
  /** At least `used` plus `available`, since a file system may reserve a part. */
  readonly size: number
  /** Blocks that several files share count once. */
  readonly used: number
  /** What files can still take. */
  readonly available: number
}

/** A limit as a file system enforces it, in which default tree rules are replaced by limits of qtrees. */
export interface EnforcedLimit {
  readonly target: LimitTarget
  /** Without any limit, the usage of the target is only counted. */
  readonly limits: QuotaLimits
}

/** The target of a limit, in the whole volume or in the named qtree. */
export type LimitTarget =
  | { readonly kind: 'tree'; readonly qtree: string }
  /** Each user that no `users` limit of the same scope names, except uid 0. */
  | { readonly kind: 'every-user'; readonly qtree?: string }
  /** These users, whose usage is added up. */
  | { readonly kind: 'users'; readonly users: readonly [Principal, ...Principal[]]; readonly qtree?: string }
  /** Each group that no `group` limit of the same scope names, except gid 0. */
  | { readonly kind: 'every-group'; readonly qtree?: string }
  | { readonly kind: 'group'; readonly group: Principal; readonly qtree?: string }

/** A limit that the file system cannot enforce, and the reason. */
export interface UnsupportedLimit {
  readonly target: LimitTarget
  /** The limits that cannot be enforced. Empty when the target itself is unsupported. */
  readonly limits: readonly QuotaLimitName[]
  /** A clause without a full stop, such as `btrfs has no file limits`. */
  readonly reason: string
}

/** The signal and the progress of a scan, which may take long. */
export interface EnableQuotaOptions {
  /** Aborts when the storage closes, or when the job is paused or cancelled. */
  readonly signal: AbortSignal
  /** Called with the progress of the scan, in units of the backend. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Targets whose limits are removed and limits that are set, in that order. */
export interface LimitsChange {
  readonly clear: readonly LimitTarget[]
  readonly set: readonly EnforcedLimit[]
}

/** The expected qtrees and limits of a file system. */
export interface ExpectedVolume {
  /** The names of the qtrees. */
  readonly qtrees: readonly string[]
  /** All expected limits. Only the hard limits are compared. */
  readonly limits: readonly EnforcedLimit[]
}

/** The difference between a file system and an {@link ExpectedVolume}. */
export type VolumeCondition =
  /** The file system is unmounted, deleted, or replaced by another. The reason is a sentence. */
  | { readonly state: 'offline'; readonly reason: string }
  | {
      readonly state: 'online'
      /** `false` when limits are expected and quotas are switched off in the file system itself. */
      readonly enforces: boolean
      /** The names of the expected qtrees that the file system lacks. */
      readonly missing: readonly string[]
      /** The expected limits that are not enforced as given, without those of missing qtrees. */
      readonly lost: readonly EnforcedLimit[]
    }

/** The parts of the usage that a caller needs. What it does not need may be included. */
export interface UsageNeeds {
  /** Whether the numbers of files are needed. @default true */
  readonly files?: boolean
  /** Whether users and groups are needed. @default true */
  readonly owners?: boolean
  /** The names of the needed qtrees. @default every qtree */
  readonly qtrees?: readonly string[]
}

/** The current usage of a target. */
export interface QuotaUsage {
  readonly target: UsageTarget
  /** In bytes. */
  readonly space: number
  /** The number of files and directories. May be absent where {@link UsageNeeds} does not need it. */
  readonly files?: number
}

/** A limit was exceeded, or the usage has fallen to or below a soft limit again. */
export interface QuotaNotice {
  readonly type: 'soft-limit-exceeded' | 'soft-limit-normal' | 'hard-limit-exceeded'
  readonly target: LimitTarget
  /** The user or group that exceeded a limit of every user or every group. */
  readonly principal?: KnownPrincipal
  readonly limit: QuotaLimitName
  /** In bytes or files, as the limit. For a hard limit, the usage before the refused write. */
  readonly used: number
  /** The limit, in bytes or files. */
  readonly allowed: Size
}

/** The qtree, user or group of a usage. */
export type UsageTarget =
  | { readonly kind: 'tree'; readonly qtree: string }
  | { readonly kind: 'user'; readonly user: KnownPrincipal; readonly qtree?: string }
  | { readonly kind: 'group'; readonly group: KnownPrincipal; readonly qtree?: string }

/** A user or group of the operating system. `id` is its number as a text. */
export interface KnownPrincipal {
  readonly id: string
  /** Absent when the system has no name for the id. */
  readonly name?: string
}

/** The settings of a qtree that its file system stores. */
export interface QtreeSettings {
  /** Octal digits read as a decimal number, such as the 755 of `chmod`. */
  readonly unixPermissions: number
}

/** The kind, size and identity of a file. */
export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'other'
  /** In bytes. Meaningful only for files. */
  readonly size: number
  /** The identity that {@link VolumeBackend.cloneFile} returns for the same file. */
  readonly identity: string
}

/** The bytes of a file that are not holes. */
export interface FileBlocks {
  /** Bytes in blocks that other files share. */
  readonly shared: number
  /** Bytes in blocks of the file's own. */
  readonly unique: number
}

/** The request to clone a file. Paths are relative to the volume. */
export interface CloneFileRequest {
  /** Unique among all clones. It can be part of a file name. */
  readonly id: string
  readonly source: string
  readonly destination: string
  /** At least one and at most 2,000, which do not overlap. @default the whole file */
  readonly ranges?: readonly CloneRange[]
  /** Whether an existing destination is replaced, or changed by ranges. */
  readonly overwrite: boolean
}

/** The request to clone a directory. Paths are relative to the volume. */
export interface CloneDirectoryRequest {
  /** Unique among all clones. It can be part of a file name. */
  readonly id: string
  readonly source: string
  /** Does not exist. */
  readonly destination: string
  /** The most entries below the source. */
  readonly maximumEntries: number
  /** The most levels below the source: 1 for entries without further directories. */
  readonly maximumDepth: number
  readonly signal: AbortSignal
}

/** The created destination of a clone of a directory. */
export interface ClonedDirectory {
  /** The identity that {@link VolumeBackend.file} returns for it. */
  readonly identity: string
}

/** A range of a clone, in bytes. */
export interface CloneRange {
  /** The start in the source, a multiple of {@link BLOCK_SIZE}. */
  readonly sourceOffset: number
  /** The start in the destination, a multiple of {@link BLOCK_SIZE}. It can be after the end of the file. */
  readonly destinationOffset: number
  /** At least 1. A multiple of {@link BLOCK_SIZE}, except for a range that ends at the end of the source. */
  readonly length: number
}

/** The created or changed destination of a clone. */
export interface ClonedFile {
  /** Distinguishes the file from a later file at the same path, such as an inode number. */
  readonly identity: string
  /** In bytes. */
  readonly size: number
}

/** A file by path and identity. It no longer exists when the file at the path has another identity. */
export interface FileIdentity {
  /** Relative to the volume. */
  readonly path: string
  readonly identity: string
}

/** The first offset and the maximum length of a slice, in bytes. */
export interface UnshareSlice {
  /** The offset at which the search for shared bytes starts: 0, or that of the slice before. */
  readonly position: number
  /** The most bytes to copy, at least 1. */
  readonly maximum: number
  readonly signal: AbortSignal
}

/** The result of one slice of a split. Offsets are in bytes. */
export interface UnsharedSlice {
  /** The start of the next slice. */
  readonly position: number
  /** The number of bytes that were copied. */
  readonly unshared: number
  /** Whether nothing after the position is shared. */
  readonly done: boolean
}
