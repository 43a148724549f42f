/** Requests that go on, one after the other, while something happens to the servers. */
export interface BackgroundLoad {
  /** How often each status was answered so far. */
  readonly counts: ReadonlyMap<number, number>
  /** Settles when that status was answered so often from now on. */
  until(status: number, times: number): Promise<void>
  /** Settles when the last request is answered. Rejects where one was not answered at all. */
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
  // The failure is told by whoever waits.
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
