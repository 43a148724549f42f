/** How the usage of space or files compares with the marks of its rule, as the watch of the volume last saw it. */
export interface WatchedLimit {
  /** Since when the usage is above the soft limit. */
  readonly exceededSince?: Date
  /** The grace period of the soft limit. Absent without a soft limit, and where soft limits only notify. */
  readonly grace?: WatchedGrace
  /** The thresholds of the rule in percent, ascending. Empty without a limit. */
  readonly thresholds: readonly number[]
  /** Those that the usage has reached. */
  readonly reachedThresholds: readonly number[]
}

export interface WatchedGrace {
  readonly periodSeconds: number
  /**
   * What enforces the soft limit after its grace period. `watcher`: the process of the volume, which sets it as hard in
   * the file system. `none`: the file system cannot enforce it, and it only notifies.
   */
  readonly enforcedBy: GraceEnforcement
  readonly startedAt?: Date
  readonly endsAt?: Date
  /** Whether the soft limit is enforced as hard. */
  readonly hasEnded: boolean
}

export const graceEnforcements = ['watcher', 'none'] as const

export type GraceEnforcement = (typeof graceEnforcements)[number]
