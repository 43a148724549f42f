import { createJournal, type Journal } from './journal.ts'

/** Iterables that record in the journal when they are silent or closed. */
export interface ProbeSources {
  /** The bytes that endless sources have produced so far. */
  readonly produced: () => number
  /** Produces a chunk of an endless source. Throws after 64 MiB, more than a slow reader can have requested. */
  readonly produce: () => string
  /** Opens a gate, for present and later waiters. */
  readonly open: (gate: string) => void
  readonly opened: (gate: string) => Promise<void>
  readonly sequence: <Item>(...steps: readonly (() => Item | Promise<Item>)[]) => AsyncIterable<Item>
  readonly endless: () => AsyncIterable<string>
  /** Yields 1, and ends when the signal aborts. */
  readonly untilAborted: (signal: AbortSignal) => AsyncIterable<number>
  /** Yields the given items, and then nothing until it is closed. */
  readonly silentAfter: (...first: readonly unknown[]) => AsyncIterable<unknown>
}

const CHUNK = 2 ** 16

/** More than the buffers of two sockets and a transport hold. */
const MOST_PRODUCED_BYTES = 2 ** 26

export function createSources(journal: Journal): ProbeSources {
  const gates = createJournal()
  let produced = 0

  const iterableOf = <Item>(next: () => Promise<IteratorResult<Item>>, close = () => {}): AsyncIterable<Item> => ({
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        journal.add('source closed')
        close()
        return end
      },
    }),
  })

  const produce = () => {
    produced += CHUNK
    if (produced > MOST_PRODUCED_BYTES) {
      journal.add('ran away')
      throw new Error('The source ran away')
    }
    return 'x'.repeat(CHUNK)
  }

  return {
    produced: () => produced,
    produce,
    open: gates.add,
    opened: gates.seen,
    endless: () => iterableOf(async () => ({ done: false, value: produce() })),
    sequence: (...steps) => {
      const left = [...steps]
      return iterableOf(async () => {
        const step = left.shift()
        return step ? { done: false, value: await step() } : end
      })
    },
    async *untilAborted(signal) {
      yield 1
      await aborted(signal)
    },
    silentAfter: (...first) => {
      const left = [...first]
      let close: () => void = () => undefined
      return iterableOf<unknown>(
        () => {
          if (left.length > 0) return Promise.resolve({ done: false, value: left.shift() })
          journal.add('source silent')
          return new Promise((resolve) => {
            close = () => resolve(end)
          })
        },
        () => close(),
      )
    },
  }
}

/** Resolves when the signal has aborted. */
export const aborted = (signal: AbortSignal): Promise<unknown> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', resolve))

const end: IteratorReturnResult<undefined> = { done: true, value: undefined }
