import type { CloneToken } from '../clone-tokens/clone-token.ts'
import type { NodeId, SplitLoad, StorageNode } from '../nodes/storage-node.ts'
import type { Split } from '../splits/split.ts'

/** State that the repositories of nodes, tokens and splits share. A step without `await` is atomic. */
export interface SplitLoadLedger {
  readonly nodes: Map<NodeId, StorageNode>
  readonly tokens: Map<string, CloneToken>
  readonly splits: Map<string, HeldSplit>
}

export interface HeldSplit {
  readonly split: Split
  readonly open: boolean
  /** Its place in the order of all splits. */
  readonly place: number
  readonly owner?: string
  /** When others may claim the split: the end of a lease, or of the wait before a retry. */
  readonly freeAt: Date
}

export const createSplitLoadLedger = (): SplitLoadLedger => ({
  nodes: new Map(),
  tokens: new Map(),
  splits: new Map(),
})

export function splitLoadOf({ tokens, splits }: SplitLoadLedger, node: StorageNode, now: Date): SplitLoad {
  let current = 0
  let tokenReserved = 0
  for (const { split } of splits.values()) if (split.node.uuid === node.uuid) current += split.remaining
  for (const token of tokens.values()) {
    if (token.node.uuid === node.uuid && token.expiresAt > now) tokenReserved += token.reserveSize
  }
  return { node: { uuid: node.uuid, name: node.name }, maximum: node.splitLoadMaximum, current, tokenReserved }
}

/** The bytes that a node has left to grant. Negative when its maximum was lowered below what is in use. */
export function allowable(ledger: SplitLoadLedger, node: StorageNode, now: Date): number {
  const { maximum, current, tokenReserved } = splitLoadOf(ledger, node, now)
  return maximum - current - tokenReserved
}
