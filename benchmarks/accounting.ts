/**
 * Loaded into a measured process before its own code. On each message it reports the CPU time and memory that the process
 * has used. It ends the process with the benchmark.
 */
process.on('message', (question) => {
  if (question === 'collected') globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ cpuMicroseconds: user + system, residentBytes: rss, heapBytes: heapUsed })
})
process.on('disconnect', () => process.exit())
// The open channel must not keep a finished process running.
process.channel?.unref()
