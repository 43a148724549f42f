import { StoreFailure } from './store-failure.ts'

/** Writes of which the store, having failed, did not say whether it made them. What they would hold stays taken meanwhile. */
export interface Doubts {
  add(doubt: Doubt): void
  /** Resolves at once where there are none. Rejects while the store does not answer. */
  settle(): Promise<void>
}

export interface Doubt {
  /** Asks the store. */
  readonly wasMade: () => Promise<boolean>
  /** Does what was still to be done after a write that was made. */
  readonly finish?: () => Promise<void>
  /** Frees what was taken for a write that was not made. */
  readonly release?: () => Promise<void>
}

/** Runs a write; where its answer is lost, what comes after it is done once the store says that it was made. */
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
