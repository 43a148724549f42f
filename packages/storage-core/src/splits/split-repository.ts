import type { VolumeId } from '../volumes/volume.ts'
import type { Split, SplitId, SplitStatus } from './split.ts'

/**
 * The store of unfinished splits. A rejection means that the store failed.
 *
 * A worker holds a split by a lease. Only the `owner` of a lease that has not ended at `now` may change the split, so
 * that another worker can replace one that has ended or stalled.
 */
export interface SplitRepository {
  /**
   * Adds a split and charges its size to the reservation of its token, or without a token to the free split load of the
   * node. Atomic. The split cannot be claimed before `open`. For an existing split, it changes nothing and returns
   * `begun`.
   */
  begin(split: Split, now: Date): Promise<'begun' | 'over-load' | 'token-not-found' | 'token-too-small'>
  /** Returns an unfinished split, open or not, or `undefined`. */
  find(uuid: SplitId): Promise<Split | undefined>
  /** Lets workers claim the split, after the clone was created. @returns whether the split exists */
  open(uuid: SplitId, identity: string): Promise<boolean>
  /** Removes a split, open or not, and returns the load that it holds to its token while that is live. */
  cancel(uuid: SplitId, now: Date): Promise<void>
  /**
   * Takes the longest waiting open split of these volumes that no live lease holds. Atomic. A lease or a pause that
   * ends later than `longestLease` counts as ended, because the clock of its owner was wrong.
   */
  claim(request: ClaimSplit): Promise<Split | undefined>
  /**
   * Records the progress of a split, and extends the lease. With a `remaining` of 0 the split is removed.
   *
   * @returns whether the owner still held the split. If not, nothing was changed
   */
  advance(uuid: SplitId, progress: SplitProgress): Promise<boolean>
  /**
   * Ends the lease of the owner immediately. No worker can claim the split before `retryAt`. Without effect when another
   * worker holds the split.
   */
  release(uuid: SplitId, owner: string, retryAt: Date): Promise<void>
  /** The owners of live leases, each once, in any order. */
  owners(now: Date): Promise<readonly string[]>
  /** Ends every lease of a worker that has ended. Atomic. Its splits can then be claimed. */
  endLeases(owner: string, now: Date): Promise<void>
  /** Returns the unfinished splits of each volume that has any, in any order. */
  status(): Promise<readonly SplitStatus[]>
}

/** The volumes whose splits a worker can take, and its lease. */
export interface ClaimSplit {
  /** The id of the worker's process. */
  readonly owner: string
  /** The volumes whose file systems the worker reaches. */
  readonly volumes: readonly VolumeId[]
  readonly now: Date
  /** The end of the lease. */
  readonly leaseUntil: Date
}

/** An extension of a lease, with the progress of the split. */
export interface SplitProgress {
  readonly owner: string
  /** The bytes left to copy. 0 ends the split. */
  readonly remaining: number
  /** The offset in the file, in bytes, at which the next slice starts. */
  readonly position: number
  readonly now: Date
  /** The new end of the lease. */
  readonly leaseUntil: Date
}
