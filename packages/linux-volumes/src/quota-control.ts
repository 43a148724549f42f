import type {
  EnforcedLimit,
  ExpectedVolume,
  LimitsChange,
  LimitTarget,
  QuotaUsage,
  UnsupportedLimit,
  UsageNeeds,
  VolumeCondition,
} from '@trivium/storage-core/ports'

/** How the quotas of the file system differ from the expected ones. */
export type QuotaCondition = Omit<Extract<VolumeCondition, { state: 'online' }>, 'state'>

/** Creation, limits and usage of qtrees, which differ between file systems. */
export interface QuotaControl {
  readonly usersPerQtree: boolean
  unsupported(limit: EnforcedLimit): UnsupportedLimit | undefined
  /** Turns quotas on where needed. @throws VolumeRefusal naming the permission or mount option that is missing */
  prepare(signal: AbortSignal): Promise<void>
  /** Returns all targets of this volume that have limits now. */
  enforced(qtrees: readonly string[]): Promise<readonly LimitTarget[]>
  /**
   * Removes and sets limits. No effect where the qtree does not exist.
   *
   * @param onChanged called with the number of targets done since the last call. An error that it throws ends the work
   */
  change(change: LimitsChange, onChanged?: (targets: number) => void): Promise<void>
  /**
   * Compares limits with the expected ones. Reads only. The number of programs hardly grows with the number of qtrees.
   */
  inspect(expected: ExpectedVolume): Promise<QuotaCondition>
  /**
   * Checks the limit of the qtree that contains a directory, where the kernel allows clones above it.
   *
   * @param directory as in `isQtree`
   * @throws VolumeRefusal `quota-exceeded`
   */
  refuseExceeded(directory: string): Promise<void>
  /** Waits until changes are in effect and usage is current. */
  settle(): Promise<void>
  usage(qtrees: readonly string[], needs: Omit<UsageNeeds, 'qtrees'>): Promise<readonly QuotaUsage[]>
  /** The names of the qtrees among the directories of the volume. */
  qtreesAmong(names: readonly string[]): Promise<readonly string[]>
  /** Whether a directory is a qtree. @param directory a path through an open handle, which cannot lead elsewhere */
  isQtree(directory: string): Promise<boolean>
  /** Creates a qtree atomically, where no entry has its name. */
  createQtree(name: string): Promise<void>
  /** Changes the mode of a qtree, also of one that is above its limit. @param directory as in `isQtree` */
  changePermissions(directory: string, mode: number): Promise<void>
  /** Removes a qtree with its contents and its limits. @param directory as in `isQtree` */
  removeQtree(name: string, directory: string): Promise<void>
}
