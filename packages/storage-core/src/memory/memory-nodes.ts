import type { NodeRepository } from '../nodes/node-repository.ts'
import { byName } from './by-name.ts'
import { type SplitLoadLedger, splitLoadOf } from './split-load-ledger.ts'

/** Stores nodes in memory until the process ends. Returns copies. */
export function memoryNodes(ledger: SplitLoadLedger): NodeRepository {
  const { nodes } = ledger
  return {
    async register(node) {
      const stored = [...nodes.values()].find(({ name }) => name === node.name)
      if (stored) return { ...stored }
      nodes.set(node.uuid, { ...node })
      return { ...node }
    },
    async find(uuid) {
      const node = nodes.get(uuid)
      return node && { ...node }
    },
    async list() {
      return byName(nodes.values()).map((node) => ({ ...node }))
    },
    async setSplitLoadMaximum(uuid, splitLoadMaximum) {
      const node = nodes.get(uuid)
      if (node) nodes.set(uuid, { ...node, splitLoadMaximum })
      return node !== undefined
    },
    async splitLoads(now) {
      return byName(nodes.values()).map((node) => splitLoadOf(ledger, node, now))
    },
  }
}
