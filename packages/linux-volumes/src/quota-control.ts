import type {
  EnforcedLimit,
  ExpectedVolume,
  LimitTarget,
  QuotaUsage,
  UnsupportedLimit,
  VolumeCondition,
} from '@trivium/storage-core/ports'

/** How quotas that are there differ from what is expected. */
export type QuotaCondition = Omit<Extract<VolumeCondition, { state: 'online' }>, 'state'>

/** What differs from file system to file system: how qtrees are made, and limited, and counted. */
export interface QuotaControl {
  readonly usersPerQtree: boolean
  unsupported(limit: EnforcedLimit): UnsupportedLimit | undefined
  /** Says which right or mount option is missing, by a refusal; turns counting on where that is to do. */
  prepare(signal: AbortSignal): Promise<void>
  /** Everything that is enforced now, of this volume. */
  enforced(qtrees: readonly string[]): Promise<readonly LimitTarget[]>
  /** Without effect for a qtree that is not there. */
  set(limit: EnforcedLimit): Promise<void>
  clear(target: LimitTarget): Promise<void>
  /** Reads only, and runs a number of programs that hardly grows with that of qtrees. */
  inspect(expected: ExpectedVolume): Promise<QuotaCondition>
  /** Changes are in effect, and counts are those of this moment. */
  settle(): Promise<void>
  usage(qtrees: readonly string[]): Promise<readonly QuotaUsage[]>
  /** Whether a directory, by a path that leads to it and to nothing else, is a qtree. */
  isQtree(directory: string): Promise<boolean>
  /** Makes one where nothing has its name, all of it or nothing. */
  createQtree(name: string): Promise<void>
  /** Changes those of a qtree, which may use more than it is allowed. @param directory as above */
  changePermissions(directory: string, mode: number): Promise<void>
  /** @param directory as above, of the qtree */
  removeQtree(name: string, directory: string): Promise<void>
}
