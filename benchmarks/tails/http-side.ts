import { cpuOfEach, type RunningServer } from '../gateway/running-server.ts'
import { runClosedLoop } from '../load/closed-loop.ts'
import type { HttpTarget } from '../load/http-target.ts'
import { runOpenLoop } from '../load/open-loop.ts'
import { quantilesOf } from './figures.ts'
import type { Side } from './rivals.ts'

export interface HttpSideOptions {
  readonly name: string
  readonly process: Pick<RunningServer, 'account' | 'pauses'>
  readonly target: HttpTarget
  /** The connections that the server is measured with, one request at a time on each. */
  readonly connections: number
  readonly warmUp: { readonly requests: number; readonly seconds: number }
  /** The requests of the measurement of its capacity. */
  readonly requests: number
}

const WARM_UP_STEPS = 40

/** A server over HTTP. */
export const httpSide = ({ name, process, target, connections, warmUp, requests }: HttpSideOptions): Side => ({
  name,
  async capacity(warmUpShare) {
    const began = performance.now()
    const step = Math.ceil(warmUp.requests / WARM_UP_STEPS)
    const isCold = (sent: number) =>
      sent < warmUp.requests * warmUpShare || performance.now() - began < warmUp.seconds * warmUpShare * 1000
    for (let sent = 0; isCold(sent); sent += step) await runClosedLoop(target, connections, step)
    const each = await cpuOfEach(process, requests, () => runClosedLoop(target, connections, requests))
    return 1_000_000 / each
  },
  async run(perSecond, seconds) {
    const { times, lateness, waitedShare, generatorShare } = await runOpenLoop(target, perSecond, seconds)
    return {
      latency: quantilesOf(times),
      lateness: lateness.length > 0 ? quantilesOf(lateness) : undefined,
      waitedPercent: 100 * waitedShare,
      corePercent: 100 * generatorShare,
    }
  },
  pauses: process.pauses,
})
