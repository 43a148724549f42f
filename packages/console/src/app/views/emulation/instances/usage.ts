/** What an instance has used until an instant. */
export interface Reading {
  /** The instant, in milliseconds of any clock that only moves forward. */
  readonly atMs: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
}

/** What an instance uses. */
export interface Usage extends Reading {
  /** CPU time since an earlier reading, in percent of one core. Absent until there are two readings. */
  readonly cpuPercent: number | undefined
}

/** CPU time is counted in steps of 10 ms, which are much of a shorter time. */
const LEAST_MS = 1000

/** Compares a reading with the usage before. */
export function usageAfter(before: Usage | undefined, reading: Reading): Usage {
  if (before === undefined) return { ...reading, cpuPercent: undefined }
  const [elapsedMs, cpuSeconds] = [reading.atMs - before.atMs, reading.cpuSeconds - before.cpuSeconds]
  if (elapsedMs < LEAST_MS) return { ...before, memoryBytes: reading.memoryBytes }
  // A helper has exited, and its time is no longer counted.
  if (cpuSeconds < 0) return { ...reading, cpuPercent: before.cpuPercent }
  return { ...reading, cpuPercent: (cpuSeconds / elapsedMs) * 100_000 }
}
