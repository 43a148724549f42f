import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { queryObjects } from 'node:v8'
import type { Gauges } from '../gauges.ts'
import { countListeners, watchListeners } from './listener-count.ts'

const MEGABYTE = 2 ** 20

watchListeners()
const timer = setTimeout(() => undefined, 0)
const Timeout = timer.constructor
clearTimeout(timer)

function gauges(): Gauges {
  // `queryObjects` collects the garbage first, and counts reachable objects.
  const timers = queryObjects(Timeout, { format: 'count' })
  const { rss, heapUsed, external } = process.memoryUsage()
  return {
    residentMegabytes: rss / MEGABYTE,
    heapMegabytes: (heapUsed + external) / MEGABYTE,
    descriptors: readdirSync('/proc/self/fd').length,
    handles: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate').length,
    timers,
    listeners: countListeners(),
  }
}

const path = process.env.TRIVIUM_SOAK_SOCKET
if (path === undefined) throw new Error('TRIVIUM_SOAK_SOCKET must name a socket')
// Programs that the server starts are not measured.
delete process.env.TRIVIUM_SOAK_SOCKET
delete process.env.NODE_OPTIONS
createServer((socket) => socket.on('error', () => undefined).end(JSON.stringify(gauges())))
  .listen(path)
  .unref()
