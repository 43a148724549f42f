import { StoreFailure } from './store-failure.ts'

/** Writes of which it is unknown whether the failed store made them. Their ports, slots and counts stay taken. */
export interface Doubts {
  add(doubt: Doubt): void
  /**
   * Finds out which pending writes were made. Resolves immediately without any. Rejects while the store does not
   * answer.
   */
  settle(): Promise<void>
}

export interface Doubt {
  /** Reads from the store whether the write was made. */
  readonly wasMade: () => Promise<boolean>
  /** Completes the operation of a write that was made. */
  readonly finish?: () => Promise<void>
  /** Frees the ports, slots and counts of a write that was not made. */
  readonly release?: () => Promise<void>
}

/** Runs a write. Where the store fails, the write is added to the pending writes, and the failure is thrown. */
export async function withDoubt<T>(doubts: Doubts, write: () => Promise<T>, doubt: Doubt): Promise<T> {
  try {
    return await write()
  } catch (fault) {
    if (StoreFailure.is(fault)) doubts.add(doubt)
    throw fault
  }
}

export function createDoubts(): Doubts {
  const doubts = new Set<Doubt>()
  let settling: Promise<void> | undefined

  const settleAll = async () => {
    for (const doubt of doubts) {
      const made = await doubt.wasMade()
      doubts.delete(doubt)
      await (made ? doubt.finish : doubt.release)?.()
    }
  }

  return {
    add: (doubt) => void doubts.add(doubt),
    settle: async () => {
      if (doubts.size === 0) return
      settling ??= settleAll().finally(() => {
        settling = undefined
      })
      await settling
    },
  }
}
