/**
 * Loaded into a measured process before its own code: tells, whenever it is asked, the CPU time and memory that the
 * process has used, and ends it with the benchmark.
 */
process.on('message', (question) => {
  if (question === 'collected') globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ cpuMicroseconds: user + system, residentBytes: rss, heapBytes: heapUsed })
})
process.on('disconnect', () => process.exit())
// A process that is done may end although somebody could still ask.
process.channel?.unref()
