import type { Tagged } from 'type-fest'

/** A UUID unless the host makes ids of its own. Made when the name is first registered. */
export type NodeId = Tagged<string, 'NodeId'>

/** A node where something else names it. */
export interface NodeReference {
  readonly uuid: NodeId
  readonly name: string
}

/** A machine that holds volumes and splits clones. */
export interface StorageNode extends NodeReference {
  /** The most clone data that may be undergoing a split or be reserved for one, in bytes: 4 KiB to 675 TiB. */
  readonly splitLoadMaximum: number
}

/** How a node's split load is used, in bytes. */
export interface SplitLoad {
  readonly node: NodeReference
  readonly maximum: number
  /** What unfinished splits still hold. */
  readonly current: number
  /** What live clone tokens still reserve. */
  readonly tokenReserved: number
}
