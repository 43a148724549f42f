import type { NodeId } from '../nodes/storage-node.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { CloneToken, CloneTokenField, CloneTokenId } from './clone-token.ts'

/**
 * The store of clone tokens. A rejection means that the store failed.
 *
 * A token whose `expiresAt` is not after `now` does not exist for any method except `removeExpired`.
 */
export interface CloneTokenRepository {
  /**
   * Adds the token if the node's maximum, less what its unfinished splits and live tokens hold, covers it. Atomic, so
   * that callers in any number of processes never exceed the maximum together.
   */
  reserve(token: CloneToken, now: Date): Promise<'reserved' | 'over-load' | 'node-not-found'>
  /** Returns a live token of that node, or `undefined`. */
  find(node: NodeId, uuid: CloneTokenId, now: Date): Promise<CloneToken | undefined>
  /** Returns one page of the live tokens of all nodes. */
  list(request: PageRequest<CloneTokenField>, now: Date): Promise<Page<CloneToken>>
  /** Counts the live tokens of all nodes that match. */
  count(query: Query<CloneTokenField>, now: Date): Promise<number>
  /** Replaces the lifetime and the expiry of a live token. Atomic. @returns the changed token, or `undefined` */
  changeExpiry(
    node: NodeId,
    uuid: CloneTokenId,
    expiry: Pick<CloneToken, 'lifetimeSeconds' | 'expiresAt'>,
    now: Date,
  ): Promise<CloneToken | undefined>
  /**
   * Removes a live token, and so frees what is left of its reservation. Atomic.
   *
   * @returns the removed token to exactly one of several callers, `undefined` to the others
   */
  remove(node: NodeId, uuid: CloneTokenId, now: Date): Promise<CloneToken | undefined>
  /**
   * Removes the expired tokens whose `expiresAt` is not before `since`: whether older ones have expired is not certain
   * yet. Each token is returned to exactly one of several callers.
   */
  removeExpired(now: Date, since?: Date): Promise<readonly CloneToken[]>
}
