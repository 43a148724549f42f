const cpuUsage =
  'threadCpuUsage' in process && typeof process.threadCpuUsage === 'function'
    ? process.threadCpuUsage.bind(process)
    : process.cpuUsage.bind(process)

/** Returns the CPU time of this thread so far, in milliseconds; of the process where Node cannot measure a thread. */
function cpuMs(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

const sample = JSON.stringify(Array.from({ length: 200_000 }, (_, index) => ({ text: `text ${index}` })))
/** The CPU time that reading the sample takes on the machine for which the bounds are given. */
const SAMPLE_MS = 24
const SLOWEST = 4

/** Returns how many times slower this machine is now: other guests of its host share caches and memory. At least 1. */
function slowness(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = cpuMs()
    JSON.parse(sample)
    return cpuMs() - before
  })
  const median = times.toSorted((one, other) => one - other)[2] ?? SAMPLE_MS
  return Math.min(SLOWEST, Math.max(1, median / SAMPLE_MS))
}

/**
 * Runs a function, and returns the longest CPU time between two turns of the event loop, in milliseconds of the machine for
 * which the bounds are given. The time of other processes does not count.
 */
export async function longestBlockMs(run: () => Promise<unknown>): Promise<number> {
  const before = slowness()
  let last = cpuMs()
  let longest = 0
  let isRunning = true
  const turn = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (isRunning) setImmediate(turn)
  }
  setImmediate(turn)
  await run()
  isRunning = false
  turn()
  return longest / Math.max(before, slowness())
}
