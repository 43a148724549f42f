import { checkRange, MAX_TIMER_SECONDS } from '../check-range.ts'

/** How items are batched before they are stored. */
export interface BatchOptions {
  /** The most items that wait. Further ones are dropped. At least 1. */
  readonly capacity: number
  /** The most items in one write, at least 1. */
  readonly batchSize: number
  /** How long an item waits for others, in milliseconds, from 0 to 2,147,483,000. */
  readonly flushMs: number
  /** The wait after a failed write, in milliseconds, from 0 to 2,147,483,000. */
  readonly retryMs: number
}

/** Why an item was not stored. */
export type DropReason = 'queue-full' | 'closed'

export interface BatchParts<Item> {
  /** The option that has the numbers, for messages. */
  readonly option: string
  /** Stores a batch. After a rejection the same items are written again. */
  readonly write: (batch: readonly Item[]) => Promise<void>
  /** What is written after the items. */
  readonly more?: { isWaiting(): boolean; write(): Promise<void> }
  /** The size of an item. @default 0 */
  readonly sizeOf?: (item: Item) => number
  /** The most size of all items that wait. @default unlimited */
  readonly maxSize?: number
  /** Called with every lost item and the reason. */
  readonly onDropped: (items: readonly Item[], reason: DropReason) => void
  readonly onFault: (error: unknown) => void
}

/** Writes items in batches, so that requests do not wait for the store. */
export interface BatchWriter<Item> {
  add(item: Item): void
  /** Writes what waits besides the items within the usual time. */
  schedule(): void
  /** The number of waiting items. */
  readonly waiting: number
  /** The number of items lost since the start. */
  readonly dropped: number
  /** Resolves when all items that wait now are written, or when the store has failed once. */
  flush(): Promise<void>
  /** Writes the waiting items. Those that the store does not accept are dropped and passed to `onDropped`. */
  close(): Promise<void>
}

/** @throws RangeError for a number that is out of range */
export function createBatchWriter<Item>(
  { capacity, batchSize, flushMs, retryMs }: BatchOptions,
  { option, write, more, sizeOf = () => 0, maxSize = Number.POSITIVE_INFINITY, onDropped, onFault }: BatchParts<Item>,
): BatchWriter<Item> {
  const named = (name: string) => `${option}.${name}`
  checkRange({ [named('capacity')]: capacity, [named('batchSize')]: batchSize }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ [named('flushMs')]: flushMs, [named('retryMs')]: retryMs }, 0, MAX_TIMER_SECONDS * 1000)
  let queue: Item[] = []
  let size = 0
  let dropped = 0
  let closed = false
  let failed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<boolean> | undefined

  const hasMore = (): boolean => more?.isWaiting() ?? false

  const drop = (items: readonly Item[], reason: DropReason) => {
    dropped += items.length
    onDropped(items, reason)
  }

  /** Does nothing during a write, whose end schedules the next one. */
  const schedule = () => {
    if (closed || writing) return
    const milliseconds = failed ? retryMs : flushMs
    timer ??= setTimeout(() => {
      timer = undefined
      void writeNow()
    }, milliseconds)
  }

  /**
   * Writes the items that wait now. Later ones wait for the next write, because a busy gateway would never end this one.
   *
   * @returns whether the store accepted all items
   */
  const writeWaiting = async (): Promise<boolean> => {
    try {
      for (let left = queue.length; left > 0; ) {
        const batch = queue.slice(0, Math.min(left, batchSize))
        await write(batch)
        queue = queue.slice(batch.length)
        size -= batch.reduce((sum, item) => sum + sizeOf(item), 0)
        left -= batch.length
      }
      if (hasMore()) await more?.write()
      return true
    } catch (error) {
      onFault(error)
      return false
    }
  }

  const writeNow = (): Promise<boolean> => {
    writing ??= writeWaiting().then((done) => {
      writing = undefined
      failed = !done
      if (closed) return done
      if (done && queue.length >= batchSize) void writeNow()
      else if (queue.length > 0 || hasMore()) schedule()
      return done
    })
    return writing
  }

  const flush = async () => {
    // The running write does not include items that were added after its start.
    if (writing && !(await writing)) return
    if (queue.length > 0 || hasMore()) await writeNow()
  }

  return {
    get waiting() {
      return queue.length
    },
    get dropped() {
      return dropped
    },
    add(item) {
      const added = sizeOf(item)
      if (closed) {
        drop([item], 'closed')
      } else if (queue.length >= capacity || size + added > maxSize) {
        drop([item], 'queue-full')
      } else {
        queue.push(item)
        size += added
        if (queue.length >= batchSize && !writing && !failed) void writeNow()
        else schedule()
      }
    },
    schedule,
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
