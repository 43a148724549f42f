import type { NoticeKind } from '../notices/notice.ts'
import type { StoredNotice } from '../notices/stored-notice.ts'

/**
 * The store of how far each recipient has the notices of the log. A rejection means that the store failed.
 *
 * A worker holds a recipient by a lease while it sends a digest.
 */
export interface DigestRepository {
  /** Adds a recipient, who gets the notices from now on. Without effect where the recipient exists. */
  register(recipient: string): Promise<void>
  /**
   * Takes the next digest of a recipient whom no live lease holds and who waits for no retry, when its first notice is
   * from `before` or earlier. It has the notices that are stored now. A digest that was not sent is returned again with
   * the same bounds. Atomic. A lease that ends later than `longestLease` counts as ended.
   */
  claim(request: ClaimDigest): Promise<Digest | undefined>
  /** Records that the claimed digest was sent. @returns whether the owner still held the recipient */
  sent(recipient: string, owner: string, now: Date): Promise<boolean>
  /** Ends the lease of the owner. The digest is not claimed before `retryAt`. Without effect for another owner. */
  release(recipient: string, owner: string, retryAt: Date): Promise<void>
  /** The owners of live leases, each once, in any order. */
  owners(now: Date): Promise<readonly string[]>
  /** Ends every lease of a worker that has ended. Atomic. */
  endLeases(owner: string, now: Date): Promise<void>
}

/** The recipient, the lease of a worker, and what it collects. */
export interface ClaimDigest {
  readonly recipient: string
  readonly kinds: readonly NoticeKind[]
  readonly before: Date
  /** The most notices of the digest. */
  readonly limit: number
  readonly owner: string
  readonly now: Date
  /** The end of the lease. */
  readonly leaseUntil: Date
}

/** The notices of a message. */
export interface Digest {
  /** The number of the last notice that the digest covers, of any kind. It is the same when the digest is claimed again. */
  readonly until: number
  /** The first notices, at most `limit`. Empty where they were removed in the meantime. */
  readonly notices: readonly StoredNotice[]
  /** The number of all of its notices. */
  readonly total: number
}
