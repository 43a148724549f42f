import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { ClockTrust } from '../clock-watch.ts'
import type { Emit } from '../events/create-events.ts'
import { allowableLoad } from '../nodes/allowable-load.ts'
import type { NodeId } from '../nodes/storage-node.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import { type Size, toSize } from '../sizes/size.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { CloneToken, CloneTokenField, CloneTokenId } from './clone-token.ts'

/** In bytes. Smaller reservations are rounded up to it. */
export const MINIMUM_RESERVE_SIZE = 4096

/** In seconds: ten years. */
export const MAXIMUM_TOKEN_LIFETIME = 315_360_000

/** Why an operation on a clone token failed. Sizes are in bytes. */
export type CloneTokenError =
  | { readonly type: 'node-not-found'; readonly node: string }
  | { readonly type: 'clone-token-not-found'; readonly node: string; readonly token: string }
  | { readonly type: 'negative-reserve'; readonly size: Size }
  /** A lifetime that is not from 1 second to {@link MAXIMUM_TOKEN_LIFETIME}. */
  | { readonly type: 'invalid-lifetime'; readonly seconds: number }
  /** The node has less split load left. */
  | { readonly type: 'split-load-exceeded'; readonly node: string; readonly size: Size; readonly allowable: number }

/** The reservations of split load. */
export interface CloneTokens {
  /** Reserves split load, all of it or nothing. Atomic. */
  create(request: CreateCloneToken): ResultAsync<CloneToken, CloneTokenError>
  find(node: string, token: string): ResultAsync<CloneToken, CloneTokenError>
  list(request: PageRequest<CloneTokenField>): Promise<Page<CloneToken>>
  count(query: Query<CloneTokenField>): Promise<number>
  /** Changes the lifetime, which counts from now. */
  changeExpiry(node: string, token: string, lifetimeSeconds: number): ResultAsync<CloneToken, CloneTokenError>
  /** Deletes a token and frees the rest of its reservation. */
  delete(node: string, token: string): ResultAsync<CloneToken, CloneTokenError>
  /**
   * Removes expired tokens, which no operation returns, and emits an event for each. Until the clock is trusted, only
   * those that have expired since it is watched.
   */
  expire(): Promise<void>
}

/** A reservation of a node's split load for later clones. */
export interface CreateCloneToken {
  /** The node's UUID. */
  readonly node: string
  /** In bytes. A size below 4,096 is rounded up to it. A negative one is refused. */
  readonly reserveSize: Size
  /** A whole number from 1 to 315,360,000 seconds, which is ten years. It counts from now. @default 60 */
  readonly lifetimeSeconds?: number
  /** The id of the user of the host that creates it, 1 to 128 characters. @default the token belongs to no user */
  readonly ownerId?: string
}

export interface CloneTokensOptions {
  readonly repositories: Pick<StorageRepositories, 'cloneTokens' | 'nodes'>
  readonly newId: () => string
  readonly now: () => Date
  readonly clock: () => ClockTrust
  readonly emit: Emit
}

export function createCloneTokens({ repositories, newId, now, clock, emit }: CloneTokensOptions): CloneTokens {
  const { cloneTokens, nodes } = repositories
  const expiry = (lifetimeSeconds: number) => ({
    lifetimeSeconds,
    expiresAt: new Date(now().getTime() + lifetimeSeconds * 1000),
  })
  const isLifetime = (seconds: number) =>
    Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= MAXIMUM_TOKEN_LIFETIME
  const found = (
    node: string,
    token: string,
    look: (node: NodeId, token: CloneTokenId) => Promise<CloneToken | undefined>,
  ) =>
    // An id of a client is a text, and is looked up unchecked.
    ResultAsync.fromSafePromise(look(node as NodeId, token as CloneTokenId)).andThen((kept) =>
      kept ? ok(kept) : err({ type: 'clone-token-not-found', node, token } as const),
    )

  async function create({
    node: uuid,
    reserveSize,
    lifetimeSeconds = 60,
    ownerId,
  }: CreateCloneToken): Promise<Result<CloneToken, CloneTokenError>> {
    if (reserveSize < 0) return err({ type: 'negative-reserve', size: reserveSize } as const)
    if (!isLifetime(lifetimeSeconds)) return err({ type: 'invalid-lifetime', seconds: lifetimeSeconds } as const)
    const node = await nodes.find(uuid as NodeId) // an id of a client
    if (!node) return err({ type: 'node-not-found', node: uuid } as const)
    const over = async (size: Size) => {
      const loads = await nodes.splitLoads(now())
      const load = loads.find((one) => one.node.uuid === node.uuid)
      const allowable = load ? allowableLoad(load) : 0
      return err({ type: 'split-load-exceeded', node: node.name, size, allowable } as const)
    }
    const size = toSize(reserveSize)
    if (typeof size === 'bigint') return over(size)
    const token: CloneToken = {
      node: { uuid: node.uuid, name: node.name },
      uuid: newId() as CloneTokenId, // ids are opaque texts
      reserveSize: Math.max(size, MINIMUM_RESERVE_SIZE),
      ...expiry(lifetimeSeconds),
      ...(ownerId !== undefined && { ownerId }),
    }
    const outcome = await cloneTokens.reserve(token, now())
    if (outcome === 'node-not-found') return err({ type: 'node-not-found', node: uuid } as const)
    if (outcome === 'over-load') return over(token.reserveSize)
    emit('clone-token.created', token)
    return ok(token)
  }

  return {
    create: (request) => new ResultAsync(create(request)),
    find: (node, token) => found(node, token, (...key) => cloneTokens.find(...key, now())),
    list: (request) => cloneTokens.list(request, now()),
    count: (query) => cloneTokens.count(query, now()),
    changeExpiry: (node, token, lifetimeSeconds) =>
      isLifetime(lifetimeSeconds)
        ? found(node, token, (...key) => cloneTokens.changeExpiry(...key, expiry(lifetimeSeconds), now()))
        : new ResultAsync(Promise.resolve(err({ type: 'invalid-lifetime', seconds: lifetimeSeconds } as const))),
    delete: (node, token) =>
      found(node, token, (...key) => cloneTokens.remove(...key, now())).map((removed) => {
        emit('clone-token.deleted', removed)
        return removed
      }),
    expire: async () => {
      for (const token of await cloneTokens.removeExpired(now(), clock().since)) emit('clone-token.expired', token)
    },
  }
}
