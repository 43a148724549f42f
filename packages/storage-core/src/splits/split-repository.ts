import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { Split, SplitField, SplitId, SplitStatus } from './split.ts'

/**
 * The store of unfinished splits. A rejection means that the store failed.
 *
 * A worker holds a split by a lease. Only the `owner` of a lease that has not ended at `now` may record progress, so
 * that another worker can replace one that has ended or stalled. The splits of a volume have an order, at the end of
 * which `begin` puts each new one.
 */
export interface SplitRepository {
  /**
   * Adds a split and charges its size to the reservation of its token, or without a token to the free split load of the
   * node. Atomic. A split without an identity cannot be claimed before `open`. For an existing split, it changes nothing
   * and returns `begun`. A file of the volume with the same identity has at most one split: a second one is `taken`.
   */
  begin(split: Split, now: Date): Promise<'begun' | 'taken' | 'over-load' | 'token-not-found' | 'token-too-small'>
  /** Returns an unfinished split, open or not, or `undefined`. */
  find(uuid: SplitId): Promise<Split | undefined>
  /** Returns the unfinished split of a file, or `undefined`. */
  findByFile(volume: VolumeId, identity: string): Promise<Split | undefined>
  /** Returns one page of the unfinished splits. */
  list(request: PageRequest<SplitField>): Promise<Page<Split>>
  /** Counts the unfinished splits that match. */
  count(query: Query<SplitField>): Promise<number>
  /** Returns the open splits of a volume that wait, in their order, at most `limit`. */
  queue(volume: VolumeId, limit: number): Promise<readonly SplitId[]>
  /** Lets workers claim the split, after the clone was created. @returns whether the split exists */
  open(uuid: SplitId, identity: string): Promise<boolean>
  /** Keeps workers from claiming the split. A worker that holds it is informed by `advance`. @returns whether it was changed */
  pause(uuid: SplitId): Promise<boolean>
  /**
   * Lets a paused split wait again. Without a worker that still holds it, it can be claimed immediately.
   *
   * @returns whether it was changed
   */
  resume(uuid: SplitId): Promise<boolean>
  /**
   * Moves a split before the waiting split that has the place `order` among the others, counted from 1, or to the end.
   * Atomic. Paused splits have a place, too. Without effect when it does not exist.
   */
  move(uuid: SplitId, order: number): Promise<void>
  /**
   * Removes a split, open or not, and returns the load that it holds to its token while that is live. Atomic.
   *
   * @returns the removed split to exactly one of several callers, `undefined` to the others
   */
  cancel(uuid: SplitId, now: Date): Promise<Split | undefined>
  /**
   * Takes the first open split of one of these volumes that no live lease holds. Atomic. A lease or a wait that ends
   * later than `longestLease` counts as ended, because the clock of its owner was wrong. The split is `running` then.
   */
  claim(request: ClaimSplit): Promise<Split | undefined>
  /**
   * Records the progress of a split, and extends the lease. With a `remaining` of 0 the split is removed.
   *
   * @returns `lost` when the owner no longer held the split, which it must leave; nothing was changed. `paused` when it
   *   must release it
   */
  advance(uuid: SplitId, progress: SplitProgress): Promise<'held' | 'paused' | 'lost'>
  /** Ends the lease of the owner immediately. Without effect when another worker holds the split. */
  release(uuid: SplitId, owner: string, release: ReleaseSplit): Promise<void>
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
  /** In bytes per second. @default it stays as it is */
  readonly rate?: number
  readonly now: Date
  /** The new end of the lease. */
  readonly leaseUntil: Date
}

/** How a split waits after its worker has released it. A paused one stays paused. */
export interface ReleaseSplit {
  /** No worker can claim the split before. */
  readonly retryAt: Date
  /** Why it waits. @default only for its turn */
  readonly reason?: string
}
