import type { CloneToken } from '../clone-tokens/clone-token.ts'
import { type CloneTokenId, cloneTokenFields } from '../clone-tokens/clone-token.ts'
import type { CloneTokenRepository } from '../clone-tokens/clone-token-repository.ts'
import type { NodeId } from '../nodes/storage-node.ts'
import { compileQuery } from '../query/compile-query.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { allowable, type SplitLoadLedger } from './split-load-ledger.ts'

/** Stores clone tokens in memory until the process ends. Returns copies. */
export function memoryCloneTokens(ledger: SplitLoadLedger): CloneTokenRepository {
  const { nodes, tokens } = ledger
  const live = (node: NodeId, uuid: CloneTokenId, now: Date): CloneToken | undefined => {
    const token = tokens.get(uuid)
    return token && token.node.uuid === node && token.expiresAt > now ? token : undefined
  }
  const allLive = (now: Date) => [...tokens.values()].filter(({ expiresAt }) => expiresAt > now)
  return {
    async reserve(token, now) {
      const node = nodes.get(token.node.uuid)
      if (!node) return 'node-not-found'
      if (token.reserveSize > allowable(ledger, node, now)) return 'over-load'
      tokens.set(token.uuid, structuredClone(token))
      return 'reserved'
    },
    async find(node, uuid, now) {
      return structuredClone(live(node, uuid, now))
    },
    async list(request, now) {
      return structuredClone(pageInMemory(cloneTokenFields, allLive(now), request))
    },
    async count(query, now) {
      return allLive(now).filter(compileQuery(cloneTokenFields, query)).length
    },
    async changeExpiry(node, uuid, expiry, now) {
      const token = live(node, uuid, now)
      if (!token) return undefined
      const changed = { ...token, ...structuredClone(expiry) }
      tokens.set(uuid, changed)
      return structuredClone(changed)
    },
    async remove(node, uuid, now) {
      const token = live(node, uuid, now)
      if (token) tokens.delete(uuid)
      return token
    },
    async removeExpired(now, since = new Date(0)) {
      const expired = [...tokens.values()].filter(({ expiresAt }) => expiresAt <= now && expiresAt >= since)
      for (const { uuid } of expired) tokens.delete(uuid)
      return expired
    },
  }
}
