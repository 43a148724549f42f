/** What the probe's handlers saw, in order, for tests to wait for. */
export interface Journal {
  add(entry: string): void
  /** Resolves once the entry is there; at once if it is already. */
  seen(entry: string): Promise<void>
  readonly entries: readonly string[]
}

export function createJournal(): Journal {
  const entries: string[] = []
  const waiting = new Map<string, (() => void)[]>()
  return {
    entries,
    add: (entry) => {
      entries.push(entry)
      for (const resolve of waiting.get(entry) ?? []) resolve()
      waiting.delete(entry)
    },
    seen: (entry) =>
      new Promise((resolve) => {
        if (entries.includes(entry)) resolve()
        else waiting.set(entry, [...(waiting.get(entry) ?? []), resolve])
      }),
  }
}
