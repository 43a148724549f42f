import type { NodeId } from '../nodes/storage-node.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { CloneToken, CloneTokenField, CloneTokenId } from './clone-token.ts'

/**
 * Where clone tokens are kept. Rejections mean that the store failed.
 *
 * A token whose `expiresAt` is not after `now` is absent to every method but `removeExpired`.
 */
export interface CloneTokenRepository {
  /**
   * Adds the token only while the node's maximum, less what its unfinished splits and its live tokens hold, covers it:
   * one atomic step, so that callers in any number of processes never go past the maximum together.
   */
  reserve(token: CloneToken, now: Date): Promise<'reserved' | 'over-load' | 'node-not-found'>
  find(node: NodeId, uuid: CloneTokenId, now: Date): Promise<CloneToken | undefined>
  list(request: PageRequest<CloneTokenField>, now: Date): Promise<Page<CloneToken>>
  count(query: Query<CloneTokenField>, now: Date): Promise<number>
  /** @returns the changed token */
  changeExpiry(
    node: NodeId,
    uuid: CloneTokenId,
    expiry: Pick<CloneToken, 'lifetimeSeconds' | 'expiresAt'>,
    now: Date,
  ): Promise<CloneToken | undefined>
  /** @returns the token as it was */
  remove(node: NodeId, uuid: CloneTokenId, now: Date): Promise<CloneToken | undefined>
  /**
   * Removes every expired token, without those whose `expiresAt` is before `since`: of these the storage does not know yet
   * whether they have expired. Exactly one of several callers is handed each.
   */
  removeExpired(now: Date, since?: Date): Promise<readonly CloneToken[]>
}
