/** Records what the probe's handlers receive, in order, so that tests can wait for it. */
export interface Journal {
  add(entry: string): void
  /** Resolves once the journal has the entry; immediately if it already has. */
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
