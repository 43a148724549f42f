const cpuUsage =
  'threadCpuUsage' in process && typeof process.threadCpuUsage === 'function'
    ? process.threadCpuUsage.bind(process)
    : process.cpuUsage.bind(process)

/** CPU time of this thread so far, in milliseconds; of the process where Node has no figure of a thread. */
function cpuMs(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/**
 * Runs something, and returns the most milliseconds of CPU time that passed between two turns of the event loop.
 * Time in which other processes had the CPU does not count.
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
