import type { LoggedRequest } from '../request-log/logged-request.ts'
import { isAfter, matchesFilter } from '../request-log/matching-entries.ts'
import type { RequestLogRepository } from '../request-log/request-log-repository.ts'
import type { UsageId } from '../usage/usage-record.ts'

/** The capacity of {@link memoryRequestLog}. */
export interface MemoryRequestLogOptions {
  /** Maximum number of entries. Beyond it, the oldest are dropped. @default 1_000 */
  readonly capacity?: number
}

/** Stores the request log in memory until the process ends or newer entries replace the oldest. */
export function memoryRequestLog({ capacity = 1_000 }: MemoryRequestLogOptions = {}): RequestLogRepository {
  const entries = new Map<UsageId, LoggedRequest>()

  return {
    async append(batch) {
      for (const entry of batch) if (!entries.has(entry.id)) entries.set(entry.id, entry)
      for (const id of entries.keys()) {
        if (entries.size <= capacity) break
        entries.delete(id)
      }
    },

    async find(id) {
      return entries.get(id)
    },

    async list({ from, to, after, limit, ...filter }) {
      const found = [...entries.values()]
        .filter((entry) => entry.at >= from && entry.at < to && (!after || isAfter(entry, after)))
        .filter((entry) => matchesFilter(entry, filter))
        .sort((one, other) => (isAfter(one, other) ? 1 : -1))
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return { entries: page, ...(last && found.length > limit && { next: { at: last.at, id: last.id } }) }
    },

    async removeBefore(before) {
      const size = entries.size
      for (const { id, at } of entries.values()) if (at < before) entries.delete(id)
      return size - entries.size
    },
  }
}
