import { type Contestant, gatherContestants } from '../switch/contestants.ts'
import { freePorts } from '../switch/free-ports.ts'
import { endForwarder, runTraffic, startForwarder, type Traffic, WINDOW } from '../switch/processes.ts'
import { compilePrograms, type Programs } from '../switch/programs.ts'
import type { OpenRivals, Side } from './rivals.ts'

const BYTES = 64
const WARM_UP_SECONDS = 1.5
const CAPACITY_SECONDS = 2

/** Each switch, with the C program that reads and writes in the same way. */
const floors: Readonly<Record<string, string>> = {
  'switch, plain': 'C, recv and send',
  'switch, native': 'C, in batches',
}

/** Compiles the traffic. Returns no rivals without a C compiler. */
export async function openFrames(): Promise<OpenRivals> {
  const programs = compilePrograms()
  if (programs === undefined) {
    console.log('Frames need a C compiler (Debian packages gcc, libc6-dev).')
    return { rivals: [], close: async () => undefined }
  }
  const contestants = gatherContestants(programs, await freePorts())
  const named = (name: string) => contestants.all.find((contestant) => contestant.name === name)
  return {
    rivals: Object.entries(floors).flatMap(([name, floorName]) => {
      const [server, floor] = [named(name), named(floorName)]
      if (server === undefined || floor === undefined) return []
      return [
        {
          load: `frames of ${BYTES} B`,
          server: forwarderSide(server, programs),
          floor: forwarderSide(floor, programs),
        },
      ]
    }),
    async close() {
      contestants.remove()
      programs.remove()
    },
  }
}

/** A forwarder on the first core, and the traffic on the second. It runs only in its turns, since all have the same ports. */
function forwarderSide({ name, command, ready, ends }: Contestant, programs: Programs): Side {
  const run = async (traffic: Pick<Traffic, 'seconds' | 'rate' | 'open'>) => {
    if (command === undefined) throw new Error(`${name} is not a program.`)
    const send = (more: Pick<Traffic, 'seconds' | 'rate' | 'open'>) =>
      runTraffic([programs.path('traffic')], { ends, bytes: BYTES, window: WINDOW, ...more })
    const child = await startForwarder(command, ready)
    try {
      await send({ seconds: WARM_UP_SECONDS, rate: 0 })
      return await send(traffic)
    } finally {
      await endForwarder(child)
    }
  }
  return {
    name,
    async capacity() {
      const { received, seconds } = await run({ seconds: CAPACITY_SECONDS, rate: 0 })
      return received / seconds
    },
    async run(perSecond, seconds) {
      const result = await run({ seconds, rate: Math.round(perSecond), open: true })
      const [p50, p99, p999] = result.latenessMicroseconds
      return {
        latency: {
          p50: result.p50Microseconds / 1000,
          p99: result.p99Microseconds / 1000,
          p999: result.p999Microseconds / 1000,
        },
        lateness: { p50: p50 / 1000, p99: p99 / 1000, p999: p999 / 1000 },
        waitedPercent: 0,
        // The program looks for frames all the time.
        corePercent: 100,
      }
    },
    pauses: async () => undefined,
  }
}
