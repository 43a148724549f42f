import type { AnswerCache } from '@trivium/gateway-core/ports'
import type { RedisHandle } from './open-redis.ts'

/** Where the cache stores its answers. */
export interface RedisAnswerCacheOptions {
  /** Prefix of its keys in Redis. @default 'trivium:answers:' */
  readonly prefix?: string
}

/** The keys that one step of the removal looks at. */
const SCANNED = 1_000

/**
 * Stores answers until Redis removes them when they expire. Their number is not bounded: set `maxmemory` and a policy such as
 * `volatile-lru` in Redis.
 */
export function redisAnswerCache(
  { client }: RedisHandle,
  { prefix = 'trivium:answers:' }: RedisAnswerCacheOptions = {},
): AnswerCache {
  return {
    find: async (key, now) => {
      const value = await client.get(`${prefix}${key}`)
      const [, storedAt, expiresAt, text] = (value === null ? null : VALUE.exec(value)) ?? []
      if (text === undefined || Number(expiresAt) <= now.getTime()) return undefined
      return { text, storedAt: new Date(Number(storedAt)), expiresAt: new Date(Number(expiresAt)) }
    },

    save: async (key, { text, storedAt, expiresAt }) => {
      const [stored, expires] = [storedAt.getTime(), expiresAt.getTime()]
      if (expires <= stored) return
      await client.set(`${prefix}${key}`, `${stored} ${expires} ${text}`, 'PX', expires - stored)
    },

    clear: async () => {
      let removed = 0
      let cursor = '0'
      do {
        const [next, keys] = await client.scan(cursor, 'MATCH', `${escaped(prefix)}*`, 'COUNT', SCANNED)
        if (keys.length > 0) removed += await client.unlink(...keys)
        cursor = next
      } while (cursor !== '0')
      return removed
    },

    // Redis removes what has expired.
    removeExpired: () => 0,
  }
}

/** Two times in milliseconds since 1970, and the text. */
const VALUE = /^(-?\d+) (-?\d+) (.*)$/s

/** A prefix is not a pattern. */
const escaped = (prefix: string): string => prefix.replace(/[\\*?[\]^]/g, '\\$&')
