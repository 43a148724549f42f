/** Requests that are sent continuously, one after the other, while a test disturbs the servers. */
export interface BackgroundLoad {
  /** The number of answers so far, by status. */
  readonly counts: ReadonlyMap<number, number>
  /** Resolves once the status was answered so many times after this call. */
  until(status: number, times: number): Promise<void>
  /** Resolves when the last request is answered. Rejects where a request had no answer. */
  stop(): Promise<void>
}

export function startLoad(request: () => Promise<number>): BackgroundLoad {
  const counts = new Map<number, number>()
  const waiting = new Set<() => void>()
  let stopped = false
  const countOf = (status: number) => counts.get(status) ?? 0
  const running = (async () => {
    while (!stopped) {
      const status = await request()
      counts.set(status, countOf(status) + 1)
      for (const look of waiting) look()
    }
  })()
  // The failure rejects `until` and `stop`.
  running.catch(() => undefined)

  return {
    counts,
    async until(status, times) {
      const goal = countOf(status) + times
      const reached = new Promise<void>((resolve) => {
        const look = () => {
          if (countOf(status) < goal) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
      await Promise.race([reached, running])
    },
    async stop() {
      stopped = true
      await running
    },
  }
}
