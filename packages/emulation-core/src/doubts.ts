/** Writes of which the store, having failed, did not say whether it made them. What they would hold stays taken meanwhile. */
export interface Doubts {
  /** @param isStored asks the store; @param release frees what was taken for a write that was not made */
  add(isStored: () => Promise<boolean>, release: () => Promise<void>): void
  /** Resolves at once where there are none. Rejects while the store does not answer. */
  settle(): Promise<void>
}

interface Doubt {
  readonly isStored: () => Promise<boolean>
  readonly release: () => Promise<void>
}

export function createDoubts(): Doubts {
  const doubts = new Set<Doubt>()
  let settling: Promise<void> | undefined

  const settleAll = async () => {
    for (const doubt of doubts) {
      const stored = await doubt.isStored()
      doubts.delete(doubt)
      if (!stored) await doubt.release()
    }
  }

  return {
    add: (isStored, release) => void doubts.add({ isStored, release }),
    settle: async () => {
      if (doubts.size === 0) return
      settling ??= settleAll().finally(() => {
        settling = undefined
      })
      await settling
    },
  }
}
