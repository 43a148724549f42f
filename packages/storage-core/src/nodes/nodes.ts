import { err, ok, ResultAsync } from 'neverthrow'
import { type Size, toSize } from '../sizes/size.ts'
import type { NodeRepository } from './node-repository.ts'
import type { NodeId, SplitLoad, StorageNode } from './storage-node.ts'

/** In bytes: 4 KiB. */
export const MINIMUM_SPLIT_LOAD = 4096
/** In bytes: 675 TiB. */
export const MAXIMUM_SPLIT_LOAD = 675 * 2 ** 40

/** Why an operation on a node failed. `bytes` is the maximum that the caller gave. */
export type NodeError =
  | { readonly type: 'node-not-found'; readonly node: string }
  | { readonly type: 'invalid-split-load'; readonly bytes: Size }

/** The nodes and their split loads. */
export interface Nodes {
  find(uuid: string): ResultAsync<StorageNode, NodeError>
  /** Lists the nodes by name. */
  list(): Promise<readonly StorageNode[]>
  /** Lists the split loads by the names of the nodes. */
  splitLoads(): Promise<readonly SplitLoad[]>
  splitLoad(uuid: string): ResultAsync<SplitLoad, NodeError>
  /** Sets the maximum, from 4 KiB to 675 TiB in bytes. Granted load stays granted. */
  setSplitLoadMaximum(uuid: string, bytes: Size): ResultAsync<void, NodeError>
}

export interface NodesOptions {
  readonly repository: NodeRepository
  readonly now: () => Date
}

export function createNodes({ repository, now }: NodesOptions): Nodes {
  const notFound = (node: string) => err({ type: 'node-not-found', node } as const)
  return {
    // An id of a client is a text, and is looked up unchecked.
    find: (uuid) =>
      ResultAsync.fromSafePromise(repository.find(uuid as NodeId)).andThen((node) =>
        node ? ok(node) : notFound(uuid),
      ),
    list: () => repository.list(),
    splitLoads: () => repository.splitLoads(now()),
    splitLoad: (uuid) =>
      ResultAsync.fromSafePromise(repository.splitLoads(now())).andThen((loads) => {
        const load = loads.find(({ node }) => node.uuid === uuid)
        return load ? ok(load) : notFound(uuid)
      }),
    setSplitLoadMaximum: (uuid, given) => {
      const bytes = toSize(given)
      return typeof bytes === 'number' &&
        Number.isSafeInteger(bytes) &&
        bytes >= MINIMUM_SPLIT_LOAD &&
        bytes <= MAXIMUM_SPLIT_LOAD
        ? ResultAsync.fromSafePromise(repository.setSplitLoadMaximum(uuid as NodeId, bytes)).andThen((changed) =>
            changed ? ok() : notFound(uuid),
          )
        : new ResultAsync(Promise.resolve(err({ type: 'invalid-split-load', bytes } as const)))
    },
  }
}
