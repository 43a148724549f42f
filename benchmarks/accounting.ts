import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Loaded into a measured process before its own code. On each message it reports the CPU time and memory that the process
 * has used, and the pauses of its garbage collector between two messages `pauses`. It ends the process with the benchmark.
 */
let observer: PerformanceObserver | undefined
let pauses = { count: 0, totalMs: 0, longestMs: 0 }

process.on('message', (question) => {
  if (question === 'collected') collect()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const usage = { cpuMicroseconds: user + system, residentBytes: rss, heapBytes: heapUsed }
  process.send?.(question === 'pauses' ? { ...usage, pauses: takePauses() } : usage)
})
process.on('disconnect', () => process.exit())
// The open channel must not keep a finished process running.
process.channel?.unref()

/** The flag is set only here, because `npm start` has no flags. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Observes from the first call, since each observed collection takes a little time. */
function takePauses() {
  if (observer === undefined) {
    observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ entryTypes: ['gc'] })
  }
  add(observer.takeRecords())
  const taken = pauses
  pauses = { count: 0, totalMs: 0, longestMs: 0 }
  return taken
}

function add(entries: readonly PerformanceEntry[]): void {
  for (const { duration } of entries) {
    pauses.count += 1
    pauses.totalMs += duration
    pauses.longestMs = Math.max(pauses.longestMs, duration)
  }
}
