import { summarizeRecords } from '../usage/summarize-records.ts'
import type { UsageId, UsageRecord } from '../usage/usage-record.ts'
import type { UsageRepository } from '../usage/usage-repository.ts'

/** The capacity of {@link memoryUsage}. */
export interface MemoryUsageOptions {
  /** Maximum number of records. Beyond it, the oldest are dropped. @default 50_000 */
  readonly capacity?: number
}

/** Stores usage records in memory until the process ends or newer records replace them. */
export function memoryUsage({ capacity = 50_000 }: MemoryUsageOptions = {}): UsageRepository {
  const records = new Map<UsageId, UsageRecord>()

  return {
    async append(batch) {
      for (const record of batch) if (!records.has(record.id)) records.set(record.id, record)
      for (const id of records.keys()) {
        if (records.size <= capacity) break
        records.delete(id)
      }
    },

    async summarize(query) {
      return summarizeRecords([...records.values()], query)
    },

    async newestBefore(before) {
      let newest: Date | undefined
      for (const { at } of records.values()) if (at < before && (!newest || at > newest)) newest = at
      return newest
    },

    async removeBefore(before) {
      const size = records.size
      for (const { id, at } of records.values()) if (at < before) records.delete(id)
      return size - records.size
    },
  }
}
