import type { ApiKey, ApiKeyId } from '../api-keys/api-key.ts'
import type { ApiKeyRepository, ApiKeyUse } from '../api-keys/api-key-repository.ts'
import { createBatchWriter, type DropReason } from '../batches/batch-writer.ts'
import type { UsageRecord } from './usage-record.ts'
import type { UsageRepository } from './usage-repository.ts'

/** How usage records are batched before they are stored. */
export interface UsageRecorderOptions {
  /** The most records that wait. Further ones are dropped, and `usage.dropped` is emitted. At least 1. @default 10_000 */
  readonly capacity?: number
  /** The most records in one write, at least 1. @default 500 */
  readonly batchSize?: number
  /** How long a record waits for others, in milliseconds, from 0 to 2,147,483,000. @default 200 */
  readonly flushMs?: number
  /** The wait after a failed write, in milliseconds, from 0 to 2,147,483,000. @default 1000 */
  readonly retryMs?: number
}

export interface UsageRecorderParts {
  readonly usage: UsageRepository
  readonly apiKeys: ApiKeyRepository
  /** Called after records were stored. A rejection is reported, and the records are not stored again. */
  readonly onWritten: (records: readonly UsageRecord[]) => Promise<void>
  /** Called with every lost record and the reason. */
  readonly onDropped: (records: readonly UsageRecord[], reason: DropReason) => void
  readonly onFault: (error: unknown) => void
}

/** Writes usage in batches, so that requests do not wait for the store. */
export interface UsageRecorder {
  record(record: UsageRecord): void
  /** Counts an admitted request on its key. */
  countUse(key: ApiKey, at: Date): void
  /** The number of waiting records. */
  readonly waiting: number
  /** The number of records lost since the start. */
  readonly dropped: number
  /** Resolves when all records that wait now are written, or when the store has failed once. */
  flush(): Promise<void>
  /** Writes the waiting records. Those that the store does not accept are dropped and passed to `onDropped`. */
  close(): Promise<void>
}

export function createUsageRecorder(
  { capacity = 10_000, batchSize = 500, flushMs = 200, retryMs = 1_000 }: UsageRecorderOptions,
  { usage, apiKeys, onWritten, onDropped, onFault }: UsageRecorderParts,
): UsageRecorder {
  let uses = new Map<ApiKeyId, ApiKeyUse>()

  const add = (id: ApiKeyId, count: number, at: Date) => {
    const before = uses.get(id)
    const lastUsedAt = before && before.lastUsedAt > at ? before.lastUsedAt : at
    uses.set(id, { id, count: (before?.count ?? 0) + count, lastUsedAt })
  }

  const takeBack = (counted: ReadonlyMap<ApiKeyId, ApiKeyUse>, error: unknown) => {
    for (const { id, count, lastUsedAt } of counted.values()) add(id, count, lastUsedAt)
    throw error
  }

  const writer = createBatchWriter<UsageRecord>(
    { capacity, batchSize, flushMs, retryMs },
    {
      option: 'usage',
      write: async (batch) => {
        await usage.append(batch)
        await onWritten(batch).catch(onFault)
      },
      more: {
        isWaiting: () => uses.size > 0,
        write: async () => {
          const counted = uses
          uses = new Map()
          await apiKeys.recordUses([...counted.values()]).catch((error) => takeBack(counted, error))
        },
      },
      onDropped,
      onFault,
    },
  )

  return {
    get waiting() {
      return writer.waiting
    },
    get dropped() {
      return writer.dropped
    },
    record: writer.add,
    countUse(key, at) {
      add(key.id, 1, at)
      writer.schedule()
    },
    flush: writer.flush,
    close: writer.close,
  }
}
