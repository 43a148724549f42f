import type { AnswerCache, StoredAnswer } from '../answer-cache/answer-cache.ts'

/** What an answer takes besides its text, in bytes. */
const ENTRY_BYTES = 256

const bytesOf = ({ text }: StoredAnswer): number => ENTRY_BYTES + 2 * text.length

/** Stores answers in memory. Beyond the limits, those that were used longest ago are dropped. */
export function memoryAnswerCache(): AnswerCache {
  /** In the order of their last use. */
  const answers = new Map<string, StoredAnswer>()
  let bytes = 0

  const drop = (key: string, answer: StoredAnswer): void => {
    answers.delete(key)
    bytes -= bytesOf(answer)
  }

  return {
    find(key, now) {
      const answer = answers.get(key)
      if (!answer) return undefined
      if (answer.expiresAt <= now) {
        drop(key, answer)
        return undefined
      }
      answers.delete(key)
      answers.set(key, answer)
      return answer
    },

    save(key, answer, { maxEntries, maxBytes }) {
      const before = answers.get(key)
      if (before) drop(key, before)
      if (bytesOf(answer) > maxBytes) return
      answers.set(key, answer)
      bytes += bytesOf(answer)
      for (const [oldest, stored] of answers) {
        if (answers.size <= maxEntries && bytes <= maxBytes) return
        drop(oldest, stored)
      }
    },

    clear() {
      const { size } = answers
      answers.clear()
      bytes = 0
      return size
    },

    removeExpired(now, maxEntries) {
      const before = answers.size
      for (const [key, answer] of answers) if (answer.expiresAt <= now) drop(key, answer)
      const first = [...answers].sort(([, one], [, other]) => one.expiresAt.getTime() - other.expiresAt.getTime())
      for (const [key, answer] of first.slice(0, Math.max(0, answers.size - maxEntries))) drop(key, answer)
      return before - answers.size
    },
  }
}
