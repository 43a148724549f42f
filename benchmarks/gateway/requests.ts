import { columnsOf, percentile, ratioOf, type Spread, spreadOf } from '../spread.ts'
import { againstName, type Contestant } from './contestants.ts'
import { runLoad } from './load.ts'
import type { MeasuredLoad } from './loads.ts'
import { BARE, PORTKEY } from './rows.ts'
import { cpuOfEach } from './running-server.ts'

export interface GatewayResult {
  readonly load: string
  readonly contestant: string
  /** Microseconds of CPU time a request; `undefined` where the server is another's and does not report it. */
  readonly cpu: Spread | undefined
  /** CPU time against that of the bare relay in the same round. */
  readonly ofBare: Spread | undefined
  /** CPU time of Portkey's gateway in the same round against this one's. */
  readonly belowPortkey: Spread | undefined
  /** CPU time against that of the other checkout's server in the same round. */
  readonly ofAgainst: Spread | undefined
  readonly requestsPerSecond: Spread
  /** Milliseconds from a request to the last byte of its answer. */
  readonly p50: number
  readonly p99: number
  readonly residentMegabytes: number | undefined
}

const WARM_UP_STEP = 500

export interface RequestRounds {
  readonly rounds: number
  /** Of each round. */
  readonly requests: number
  /** The share of the warm-up. Less than 1 shows only that the benchmark works. */
  readonly warmUp: number
}

/** Measures one load of all servers, which take turns. */
export async function measureRequests(
  contestants: readonly Contestant[],
  load: MeasuredLoad,
  { rounds, requests, warmUp: share }: RequestRounds,
): Promise<readonly GatewayResult[]> {
  const samples = contestants.map((contestant) => ({
    contestant,
    cpu: [] as number[],
    rates: [] as number[],
    times: [] as number[],
  }))
  for (const { contestant } of samples) await warmUp(contestant, load, share)
  for (let round = 0; round < rounds; round += 1) {
    for (const { contestant, cpu, rates, times } of samples) {
      const each = await cpuOfEach(contestant.process, requests, async () => {
        const began = performance.now()
        times.push(...(await runLoad(load, contestant.target(load), requests)))
        rates.push((requests / (performance.now() - began)) * 1000)
      })
      if (!Number.isNaN(each)) cpu.push(each)
    }
  }
  const cpuOf = (name: string) => samples.find(({ contestant }) => contestant.name === name)?.cpu
  const [bare, portkey] = [cpuOf(BARE), cpuOf(PORTKEY)]
  return Promise.all(
    samples.map(async ({ contestant, cpu, rates, times }) => {
      const against = cpuOf(againstName(contestant.name))
      const { residentBytes } = await contestant.process.account()
      const isKnown = cpu.length > 0
      return {
        load: load.name,
        contestant: contestant.name,
        cpu: isKnown ? spreadOf(cpu) : undefined,
        ofBare: isKnown && bare ? ratioOf(cpu, bare) : undefined,
        belowPortkey: isKnown && portkey ? ratioOf(portkey, cpu) : undefined,
        ofAgainst: isKnown && against ? ratioOf(cpu, against) : undefined,
        requestsPerSecond: spreadOf(rates),
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
        residentMegabytes: residentBytes === undefined ? undefined : residentBytes / 2 ** 20,
      }
    }),
  )
}

/** Runs a load until the code of a server is optimised. */
async function warmUp(contestant: Contestant, load: MeasuredLoad, share: number): Promise<void> {
  const { requests, seconds } = load.warmUp
  const begin = performance.now()
  const isCold = (sent: number) => sent < requests * share || performance.now() - begin < seconds * share * 1_000
  for (let sent = 0; isCold(sent); sent += WARM_UP_STEP) await runLoad(load, contestant.target(load), WARM_UP_STEP)
}

export function printRequests(title: string, results: readonly GatewayResult[]): void {
  for (const load of new Set(results.map((result) => result.load))) {
    console.log(`\n${title}, ${load}: CPU time a request`)
    console.table(
      Object.fromEntries(
        results
          .filter((result) => result.load === load)
          .map(
            ({ contestant, cpu, ofBare, belowPortkey, ofAgainst, requestsPerSecond, p50, p99, residentMegabytes }) => [
              contestant,
              {
                ...(cpu && columnsOf(cpu, 'CPU us', 0)),
                ...(ofBare && { 'of bare relay': ofBare.median.toFixed(2) }),
                ...(belowPortkey && { 'times less than Portkey': belowPortkey.median.toFixed(1) }),
                ...(ofAgainst && { 'of against': ofAgainst.median.toFixed(3) }),
                'requests/s': requestsPerSecond.median.toFixed(0),
                'p50 ms': p50.toFixed(1),
                'p99 ms': p99.toFixed(1),
                ...(residentMegabytes !== undefined && { 'resident MB': residentMegabytes.toFixed(0) }),
              },
            ],
          ),
      ),
    )
  }
}
