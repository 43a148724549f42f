import type { VolumeId } from '../volumes/volume.ts'
import type { Split, SplitId, SplitStatus } from './split.ts'

/**
 * Where unfinished splits are kept. Rejections mean that the store failed.
 *
 * A worker holds a split by a lease: only the `owner` of a lease that has not ended at `now` may change it, so a worker
 * that died or stalled is replaced, and learns of it.
 */
export interface SplitRepository {
  /**
   * Charges the split's size and adds it, in one atomic step: to the token, whose reservation shrinks by it, or without
   * one to what the node's maximum has left. It can't be claimed before `open`. Beginning one that exists changes
   * nothing and is `begun`.
   */
  begin(split: Split, now: Date): Promise<'begun' | 'over-load' | 'token-not-found' | 'token-too-small'>
  find(uuid: SplitId): Promise<Split | undefined>
  /** Lets workers claim the split, now that the clone exists. @returns whether it is kept */
  open(uuid: SplitId, identity: string): Promise<boolean>
  /** Gives up a split, opened or not: what it still holds goes back to its token, while that lives. */
  cancel(uuid: SplitId, now: Date): Promise<void>
  /**
   * Takes the longest waiting open split of these volumes that no one holds, for a worker, in one atomic step. A lease or
   * a pause that ends more than four leases of the claim after `now` is of a clock that was wrong, and has ended.
   */
  claim(request: ClaimSplit): Promise<Split | undefined>
  /**
   * Records how far a split is, and extends the lease. `remaining` 0 ends the split: it is removed.
   *
   * @returns whether the owner still held it; otherwise nothing was changed
   */
  advance(uuid: SplitId, progress: SplitProgress): Promise<boolean>
  /** Ends the owner's lease at once; nobody can claim the split before `retryAt`. */
  release(uuid: SplitId, owner: string, retryAt: Date): Promise<void>
  /** The owners of leases that have not ended, each once, in no order. */
  owners(now: Date): Promise<readonly string[]>
  /** Ends every lease of a worker that is known to have ended, in one atomic step: its splits can be claimed. */
  endLeases(owner: string, now: Date): Promise<void>
  /** What is unfinished, for every volume that has any, in no order. */
  status(): Promise<readonly SplitStatus[]>
}

/** What a worker can take, and for how long. */
export interface ClaimSplit {
  /** The worker's process. */
  readonly owner: string
  /** Those whose file systems the worker reaches. */
  readonly volumes: readonly VolumeId[]
  readonly now: Date
  readonly leaseUntil: Date
}

/** A sign of life of the worker, with how far it is. */
export interface SplitProgress {
  readonly owner: string
  /** Bytes that are left to do; 0 ends the split. */
  readonly remaining: number
  /** The offset in the file, in bytes, at which the next slice starts. */
  readonly position: number
  readonly now: Date
  readonly leaseUntil: Date
}
