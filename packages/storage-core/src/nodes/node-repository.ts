import type { NodeId, SplitLoad, StorageNode } from './storage-node.ts'

/** Where nodes are kept. Rejections mean that the store failed. */
export interface NodeRepository {
  /** Adds the node unless one of that name is kept already; answers the one that is kept. */
  register(node: StorageNode): Promise<StorageNode>
  find(uuid: NodeId): Promise<StorageNode | undefined>
  /** In the order of their names. */
  list(): Promise<readonly StorageNode[]>
  /** Lowering it below what is in use refuses nothing that was granted. @returns whether the node exists */
  setSplitLoadMaximum(uuid: NodeId, bytes: number): Promise<boolean>
  /** What each node's maximum is used for at `now`, in the order of the nodes' names. */
  splitLoads(now: Date): Promise<readonly SplitLoad[]>
}
