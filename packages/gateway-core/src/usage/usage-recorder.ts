import type { ApiKey, ApiKeyId } from '../api-keys/api-key.ts'
import type { ApiKeyRepository, ApiKeyUse } from '../api-keys/api-key-repository.ts'
import type { UsageRecord } from './usage-record.ts'
import type { UsageRepository } from './usage-repository.ts'

/** How records of usage are batched on their way to the store. */
export interface UsageRecorderOptions {
  /** How many records may wait; beyond that new ones are dropped, and told. @default 10_000 */
  readonly capacity?: number
  /** How many records are written at once. @default 500 */
  readonly batchSize?: number
  /** How long a record waits for company. @default 200 */
  readonly flushMs?: number
  /** How long the recorder waits after the store has failed. @default 1000 */
  readonly retryMs?: number
}

export interface UsageRecorderParts {
  readonly usage: UsageRepository
  readonly apiKeys: ApiKeyRepository
  /** Told of every record that is lost, and why. */
  readonly onDropped: (records: readonly UsageRecord[], reason: 'queue-full' | 'closed') => void
  readonly onFault: (error: unknown) => void
}

/** Takes usage off the path of requests and writes it in batches. */
export interface UsageRecorder {
  record(record: UsageRecord): void
  /** Counts an admitted request on its key. */
  countUse(key: ApiKey, at: Date): void
  /** How many records wait. */
  readonly waiting: number
  /** How many were lost since the start. */
  readonly dropped: number
  /** Settles when everything that waits by now is written, or the store has failed once. */
  flush(): Promise<void>
  /** Writes what waits; what the store does not take is dropped, and told. */
  close(): Promise<void>
}

export function createUsageRecorder(
  { capacity = 10_000, batchSize = 500, flushMs = 200, retryMs = 1_000 }: UsageRecorderOptions,
  { usage, apiKeys, onDropped, onFault }: UsageRecorderParts,
): UsageRecorder {
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

  /** Not while something is written: its end says when the next time is. */
  const schedule = () => {
    if (closed || writing) return
    const milliseconds = failed ? retryMs : flushMs
    timer ??= setTimeout(() => {
      timer = undefined
      void write()
    }, milliseconds)
  }

  /**
   * Writes what waits by now. What comes meanwhile waits for the next time: a busy gateway would never come to an end.
   *
   * @returns whether the store took everything
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
    // What runs began before some of what waits now.
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
