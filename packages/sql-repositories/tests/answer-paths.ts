import type { Database } from '../src/database.ts'
import { sqlAnswerCache } from '../src/gateway/sql-answer-cache.ts'
import { hash, timeAfter } from './filled-tables.ts'

const now = new Date(timeAfter(0))
const answer = { text: '{}', storedAt: now, expiresAt: new Date(timeAfter(300)) }

/** What the gateway does with the answer cache. */
export const answerPaths: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'an answer by its key': async (database) => sqlAnswerCache(database).find(hash(60), now),
  'an answer to store': async (database) =>
    sqlAnswerCache(database).save(hash(99_999), answer, { maxEntries: 10, maxBytes: 10 }),
  'expired answers to remove, and those beyond the limit': async (database) =>
    sqlAnswerCache(database).removeExpired(new Date(timeAfter(3)), 1_490),
}
