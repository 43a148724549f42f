import { StoreFailure } from './store-failure.ts'

/** Writes of which it is unknown whether the failed store made them. Their ports, slots and counts stay taken. */
export interface PendingWrites {
  add(pendingWrite: PendingWrite): void
  /**
   * Finds out which pending writes were made. Resolves immediately without any. Rejects while the store does not
   * answer.
   */
  settle(): Promise<void>
}

export interface PendingWrite {
  /** Reads from the store whether the write was made. */
  readonly wasApplied: () => Promise<boolean>
  /** Completes the operation of a write that was made. */
  readonly finish?: () => Promise<void>
  /** Frees the ports, slots and counts of a write that was not made. */
  readonly release?: () => Promise<void>
}

/** Runs a write. Where the store fails, the write is added to the pending writes, and the failure is thrown. */
export async function withPendingWrite<T>(
  pendingWrites: PendingWrites,
  write: () => Promise<T>,
  pendingWrite: PendingWrite,
): Promise<T> {
  try {
    return await write()
  } catch (fault) {
    if (StoreFailure.is(fault)) pendingWrites.add(pendingWrite)
    throw fault
  }
}

export function createPendingWrites(): PendingWrites {
  const pendingWrites = new Set<PendingWrite>()
  let settling: Promise<void> | undefined

  const settleAll = async () => {
    for (const pendingWrite of pendingWrites) {
      const made = await pendingWrite.wasApplied()
      pendingWrites.delete(pendingWrite)
      await (made ? pendingWrite.finish : pendingWrite.release)?.()
    }
  }

  return {
    add: (pendingWrite) => void pendingWrites.add(pendingWrite),
    settle: async () => {
      if (pendingWrites.size === 0) return
      settling ??= settleAll().finally(() => {
        settling = undefined
      })
      await settling
    },
  }
}
