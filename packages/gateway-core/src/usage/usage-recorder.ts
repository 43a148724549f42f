import type { ApiKey, ApiKeyId } from '../api-keys/api-key.ts'
import type { ApiKeyRepository, ApiKeyUse } from '../api-keys/api-key-repository.ts'
import { checkRange, MAX_TIMER_SECONDS } from '../check-range.ts'
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
  /** Called with every lost record and the reason. */
  readonly onDropped: (records: readonly UsageRecord[], reason: 'queue-full' | 'closed') => void
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
  { usage, apiKeys, onDropped, onFault }: UsageRecorderParts,
): UsageRecorder {
  checkRange({ 'usage.capacity': capacity, 'usage.batchSize': batchSize }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ 'usage.flushMs': flushMs, 'usage.retryMs': retryMs }, 0, MAX_TIMER_SECONDS * 1000)
  let queue: UsageRecord[] = []
  let uses = new Map<ApiKeyId, ApiKeyUse>()
  let dropped = 0
  let closed = false
  let failed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<boolean> | undefined

  const drop = (records: readonly UsageRecord[], reason: 'queue-full' | 'closed') => {
    dropped += records.length
    onDropped(records, reason)
  }

  /** Does nothing during a write, whose end schedules the next one. */
  const schedule = () => {
    if (closed || writing) return
    const milliseconds = failed ? retryMs : flushMs
    timer ??= setTimeout(() => {
      timer = undefined
      void write()
    }, milliseconds)
  }

  /**
   * Writes the records that wait now. Later ones wait for the next write, because a busy gateway would never end this one.
   *
   * @returns whether the store accepted all records
   */
  const writeWaiting = async (): Promise<boolean> => {
    try {
      for (let left = queue.length; left > 0; ) {
        const batch = queue.slice(0, Math.min(left, batchSize))
        await usage.append(batch)
        queue = queue.slice(batch.length)
        left -= batch.length
      }
      const counted = uses
      uses = new Map()
      if (counted.size > 0) await apiKeys.recordUses([...counted.values()]).catch((error) => takeBack(counted, error))
      return true
    } catch (error) {
      onFault(error)
      return false
    }
  }

  const takeBack = (counted: ReadonlyMap<ApiKeyId, ApiKeyUse>, error: unknown) => {
    for (const { id, count, lastUsedAt } of counted.values()) add(id, count, lastUsedAt)
    throw error
  }

  const write = (): Promise<boolean> => {
    writing ??= writeWaiting().then((done) => {
      writing = undefined
      failed = !done
      if (closed) return done
      if (done && queue.length >= batchSize) void write()
      else if (queue.length > 0 || uses.size > 0) schedule()
      return done
    })
    return writing
  }

  const add = (id: ApiKeyId, count: number, at: Date) => {
    const before = uses.get(id)
    const lastUsedAt = before && before.lastUsedAt > at ? before.lastUsedAt : at
    uses.set(id, { id, count: (before?.count ?? 0) + count, lastUsedAt })
  }

  const flush = async () => {
    // The running write does not include records that were added after its start.
    if (writing && !(await writing)) return
    if (queue.length > 0 || uses.size > 0) await write()
  }

  return {
    get waiting() {
      return queue.length
    },
    get dropped() {
      return dropped
    },
    record(record) {
      if (closed) {
        drop([record], 'closed')
      } else if (queue.length >= capacity) {
        drop([record], 'queue-full')
      } else {
        queue.push(record)
        if (queue.length >= batchSize && !writing && !failed) void write()
        else schedule()
      }
    },
    countUse(key, at) {
      add(key.id, 1, at)
      schedule()
    },
    flush,
    async close() {
      closed = true
      clearTimeout(timer)
      await flush()
      if (queue.length > 0) drop(queue, 'closed')
      queue = []
    },
  }
}
