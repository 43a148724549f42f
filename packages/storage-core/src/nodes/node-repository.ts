import type { NodeId, SplitLoad, StorageNode } from './storage-node.ts'

/** The store of nodes. A rejection means that the store failed. */
export interface NodeRepository {
  /** Adds a node unless one of that name is stored. Returns the stored one. Atomic. */
  register(node: StorageNode): Promise<StorageNode>
  /** Returns a node, or `undefined`. */
  find(uuid: NodeId): Promise<StorageNode | undefined>
  /** Lists the nodes by name. */
  list(): Promise<readonly StorageNode[]>
  /** Sets the maximum, also below what is in use, which stays granted. @returns whether the node exists */
  setSplitLoadMaximum(uuid: NodeId, bytes: number): Promise<boolean>
  /** Returns the split load of each node at `now`, by the names of the nodes. */
  splitLoads(now: Date): Promise<readonly SplitLoad[]>
}
