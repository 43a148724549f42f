import type { Tagged } from 'type-fest'

/** A UUID unless the host supplies its own ids. Created when the name is first registered. */
export type NodeId = Tagged<string, 'NodeId'>

/** A node as other records refer to it. */
export interface NodeReference {
  readonly uuid: NodeId
  /** Unique in the store. */
  readonly name: string
}

/** A machine that holds volumes and splits clones. */
export interface StorageNode extends NodeReference {
  /** The most clone data that may undergo a split or be reserved for one, in bytes, from 4 KiB to 675 TiB. */
  readonly splitLoadMaximum: number
}

/** The use of a node's split load, in bytes. */
export interface SplitLoad {
  readonly node: NodeReference
  /** The {@link StorageNode.splitLoadMaximum}. It can be lower than the sum of the other two. */
  readonly maximum: number
  /** The load of unfinished splits. */
  readonly current: number
  /** The reservations of live clone tokens. */
  readonly tokenReserved: number
}
