import { compileQuery } from '../query/compile-query.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { type SelfToken, type SelfTokenId, selfTokenFields } from '../self-tokens/self-token.ts'
import type { SelfTokenRepository } from '../self-tokens/self-token-repository.ts'

/** Stores the tokens of users in memory until the process ends. */
export function memorySelfTokens(): SelfTokenRepository {
  const tokens = new Map<SelfTokenId, SelfToken>()
  const hashes = new Map<string, SelfTokenId>()
  const forget = (uuid: SelfTokenId) => {
    for (const [hash, of] of hashes) if (of === uuid) hashes.delete(hash)
    return tokens.delete(uuid)
  }
  return {
    async add(token, hash, maximum) {
      if (tokens.size >= maximum) return 'too-many'
      tokens.set(token.uuid, structuredClone(token))
      hashes.set(hash, token.uuid)
      return 'added'
    },
    async ofHash(hash) {
      const uuid = hashes.get(hash)
      return uuid && structuredClone(tokens.get(uuid))
    },
    find: async (uuid) => structuredClone(tokens.get(uuid)),
    list: async (request) => pageInMemory(selfTokenFields, structuredClone([...tokens.values()]), request),
    count: async (query) => [...tokens.values()].filter(compileQuery(selfTokenFields, query)).length,
    remove: async (uuid) => forget(uuid),
    async removeExpired(now) {
      const expired = [...tokens.values()].filter(({ expiresAt }) => expiresAt <= now)
      for (const { uuid } of expired) forget(uuid)
      return expired.length
    },
  }
}
