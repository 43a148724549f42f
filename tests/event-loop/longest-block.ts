const cpuUsage =
  'threadCpuUsage' in process && typeof process.threadCpuUsage === 'function'
    ? process.threadCpuUsage.bind(process)
    : process.cpuUsage.bind(process)

/** Returns the CPU time of this thread so far, in milliseconds; of the process where Node cannot measure a thread. */
function cpuMs(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/**
 * Runs a function, and returns the longest CPU time between two turns of the event loop, in milliseconds. The time of other
 * processes does not count.
 */
export async function longestBlockMs(run: () => Promise<unknown>): Promise<number> {
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
  return longest
}
