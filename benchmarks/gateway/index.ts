import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startMeasured } from '../measured-process.ts'
import { writeReport } from '../report.ts'
import { columnsOf, percentile, ratioOf, type Spread, spreadOf } from '../spread.ts'
import { againstName, type Contestant, startContestants } from './contestants.ts'
import { type DialectFigures, measureDialects, printDialects } from './dialects.ts'
import { type Load, runLoad } from './load.ts'
import { type MemoryFigures, measureMemory, printMemory } from './memory.ts'
import { installPeers } from './peers.ts'

export const about =
  'chat through the gateway, compared with a bare relay and other gateways (--no-peers, --no-dialects, --against, --only, --loads, --requests, --streams)'

interface MeasuredLoad extends Load {
  /** The share of the requests of a round. */
  readonly share: number
  /** The least requests and seconds before the measurement, in which the code is optimised. */
  readonly warmUp: { readonly requests: number; readonly seconds: number }
}

const loads: readonly MeasuredLoad[] = [
  {
    name: 'whole',
    model: 'mock-1',
    stream: false,
    connections: 32,
    share: 1,
    warmUp: { requests: 20_000, seconds: 12 },
  },
  {
    name: 'stream of 20 without pauses',
    model: 'mock-1',
    stream: true,
    connections: 32,
    share: 0.4,
    warmUp: { requests: 6_000, seconds: 6 },
  },
  {
    name: 'stream of 20, 5 ms apart',
    model: 'mock-spaced',
    stream: true,
    connections: 50,
    share: 0.2,
    warmUp: { requests: 2_000, seconds: 4 },
  },
]

const BARE = 'bare relay'
const OWN = 'Fastify, memory'
const PORTKEY = '@portkey-ai/gateway'

export interface GatewayResult {
  readonly load: string
  readonly contestant: string
  /** Microseconds of CPU time a request. */
  readonly cpu: Spread
  /** CPU time against that of the bare relay in the same round. */
  readonly ofBare: Spread | undefined
  /** CPU time of Portkey's gateway in the same round against this one's. */
  readonly belowPortkey: Spread | undefined
  /** CPU time against that of the other checkout's server in the same round. */
  readonly ofAgainst: Spread | undefined
  /** Milliseconds from a request to the last byte of its answer. */
  readonly p50: number
  readonly p99: number
  readonly residentMegabytes: number
}

/**
 * Measures the CPU time for each request of the gateway, with keys, limits and usage, against a minimal relay and against
 * other gateways (`--no-peers` leaves these out). With `--against DIRECTORY` the gateway of another checkout takes turns
 * too, which shows the cost of a change where the variation of the machine is larger. All run at the same time, in front of
 * one upstream, and take turns.
 */
export default async function gateway(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      json: { type: 'string' },
      peers: { type: 'boolean', default: true },
      dialects: { type: 'boolean', default: true },
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '1500' },
      loads: { type: 'string', default: loads.map(({ name }) => name).join(';') },
      streams: { type: 'string', default: '10000' },
      only: { type: 'string' },
      against: { type: 'string' },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  if (values.peers) installPeers()
  const upstream = await startMeasured({ module: join(import.meta.dirname, 'servers/upstream-process.ts') })
  const contestants = await startContestants({
    upstream: upstream.url,
    peers: values.peers,
    only: values.only?.split(';'),
    profile: values['cpu-prof'],
    against: values.against,
  })
  const chosen = loads.filter(({ name }) => values.loads.split(';').includes(name))
  try {
    const results: GatewayResult[] = []
    for (const load of chosen) {
      const requests = Math.ceil(Number(values.requests) * load.share)
      results.push(...(await measure(contestants, load, requests, Number(values.rounds))))
    }
    const memory: MemoryFigures[] = []
    for (const contestant of contestants) memory.push(await measureMemory(contestant, Number(values.streams)))
    const own = contestants.find(({ name }) => name === OWN)
    const dialects: readonly DialectFigures[] =
      own && values.dialects ? await measureDialects(own, Number(values.requests), Number(values.rounds)) : []
    print(results)
    printDialects(dialects)
    printMemory(memory)
    writeReport(values.json, 'gateway', { requests: results, dialects, memory })
  } finally {
    for (const contestant of [...contestants]) await contestant.stop()
    await upstream.stop()
  }
}

async function measure(
  contestants: readonly Contestant[],
  load: MeasuredLoad,
  requests: number,
  rounds: number,
): Promise<readonly GatewayResult[]> {
  const samples = contestants.map((contestant) => ({ contestant, cpu: [] as number[], times: [] as number[] }))
  for (const { contestant } of samples) await warmUp(contestant, load)
  for (let round = 0; round < rounds; round += 1) {
    for (const { contestant, cpu, times } of samples) {
      const before = await contestant.process.account()
      times.push(...(await runLoad(load, contestant.target(load), requests)))
      const after = await contestant.process.account()
      cpu.push((after.cpuMicroseconds - before.cpuMicroseconds) / requests)
    }
  }
  const cpuOf = (name: string) => samples.find(({ contestant }) => contestant.name === name)?.cpu
  const [bare, portkey] = [cpuOf(BARE), cpuOf(PORTKEY)]
  return Promise.all(
    samples.map(async ({ contestant, cpu, times }) => {
      const against = cpuOf(againstName(contestant.name))
      return {
        load: load.name,
        contestant: contestant.name,
        cpu: spreadOf(cpu),
        ofBare: bare && ratioOf(cpu, bare),
        belowPortkey: portkey && ratioOf(portkey, cpu),
        ofAgainst: against && ratioOf(cpu, against),
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
        residentMegabytes: (await contestant.process.account()).residentBytes / 2 ** 20,
      }
    }),
  )
}

async function warmUp(contestant: Contestant, load: MeasuredLoad): Promise<void> {
  const { requests, seconds } = load.warmUp
  const begin = performance.now()
  for (let sent = 0; sent < requests || performance.now() - begin < seconds * 1_000; sent += 1_000) {
    await runLoad(load, contestant.target(load), 1_000)
  }
}

function print(results: readonly GatewayResult[]): void {
  for (const load of new Set(results.map((result) => result.load))) {
    console.log(`\n${load}: CPU time a request`)
    console.table(
      Object.fromEntries(
        results
          .filter((result) => result.load === load)
          .map(({ contestant, cpu, ofBare, belowPortkey, ofAgainst, p50, p99, residentMegabytes }) => [
            contestant,
            {
              ...columnsOf(cpu, 'CPU us', 0),
              ...(ofBare && { 'of bare relay': ofBare.median.toFixed(2) }),
              ...(belowPortkey && { 'times less than Portkey': belowPortkey.median.toFixed(1) }),
              ...(ofAgainst && { 'of against': ofAgainst.median.toFixed(3) }),
              'p50 ms': p50.toFixed(1),
              'p99 ms': p99.toFixed(1),
              'resident MB': residentMegabytes.toFixed(0),
            },
          ]),
      ),
    )
  }
}
