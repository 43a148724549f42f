import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { type Load, type LoadTarget, runLoad } from '../gateway/load.ts'
import { startMeasured } from '../measured-process.ts'
import { type ReferenceServer, startReferenceServer } from '../reference-server.ts'
import { writeReport } from '../report.ts'
import { columnsOf, percentile, ratioOf, type Spread, spreadOf } from '../spread.ts'
import { treeUsage } from './process-tree.ts'

export const about = 'the reference server with one process and with workers (--workers, --redis URL, --requests)'

export interface WorkersResult {
  readonly workers: number
  /** Requests answered in a second. */
  readonly rate: Spread
  /** Microseconds of CPU time a request, of all processes of the server. */
  readonly cpu: Spread
  /** The cores that the server has used. */
  readonly cores: Spread
  /** Rate and CPU time against one process in the same round. */
  readonly rateOfOne: Spread
  readonly cpuOfOne: Spread
  /** Milliseconds from a request to the last byte of its answer. */
  readonly p50: number
  readonly p99: number
  readonly residentMegabytes: number
}

interface Contestant {
  readonly workers: number
  readonly server: ReferenceServer
  readonly target: LoadTarget
}

/** The connections grow with the workers, so that each has as many requests to do together. */
const loadOf = (workers: number): Load => ({
  name: 'whole',
  model: MODEL,
  stream: false,
  connections: CONNECTIONS_PER_WORKER * workers,
})
const MODEL = 'mock-1'
const CONNECTIONS_PER_WORKER = 32
/** The largest limit of a key, which the load never reaches. */
const RATE_LIMIT = 100_000
/** The requests of each worker before the measurement, in which the code is optimised. */
const WARM_UP_REQUESTS = 20_000
const issued = v.object({ api_key: v.string() })

/**
 * Measures the reference server with its defaults, as one process and with several workers, in turns. The clients and the
 * upstream need cores of their own: without them the rate cannot grow, and only the CPU time of a request is comparable.
 */
export default async function workers(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '4000' },
      workers: { type: 'string', default: '1,2' },
      redis: { type: 'string' },
    },
  })
  const upstream = await startMeasured({ module: join(import.meta.dirname, '../gateway/servers/upstream-process.ts') })
  const directory = await mkdtemp(join(tmpdir(), 'trivium-bench-'))
  const contestants: Contestant[] = []
  try {
    for (const count of values.workers.split(',').map(Number)) {
      const environment = {
        TRIVIUM_WORKERS: String(count),
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        ...(values.redis !== undefined && { REDIS_URL: values.redis }),
      }
      contestants.push(await startContestant(count, environment, join(directory, String(count))))
    }
    const results = await measure(contestants, Number(values.requests), Number(values.rounds))
    print(results)
    writeReport(values.json, 'workers', results)
  } finally {
    for (const { server } of contestants) await server.stop()
    await upstream.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function startContestant(
  count: number,
  environment: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<Contestant> {
  const server = await startReferenceServer({ environment, dataDirectory })
  const clients: string[] = []
  for (let index = 0; index < CONNECTIONS_PER_WORKER * count; index += 1) {
    const fields = { username: `user-${index}`, rate_limit: RATE_LIMIT }
    const { api_key } = v.parse(issued, JSON.parse(await server.ask('POST', '/v1/auth/generate-key', fields)))
    clients.push(`authorization: Bearer ${api_key}\r\n`)
  }
  const port = Number(new URL(server.url).port)
  return { workers: count, server, target: { port, clients, model: `openai/${MODEL}` } }
}

interface Round {
  readonly rate: number
  readonly cpu: number
  readonly cores: number
  readonly times: readonly number[]
}

async function runRound({ workers: count, server, target }: Contestant, requests: number): Promise<Round> {
  const before = treeUsage(server.pid)
  const begun = performance.now()
  const times = await runLoad(loadOf(count), target, requests)
  const seconds = (performance.now() - begun) / 1000
  const cpu = treeUsage(server.pid).cpuMicroseconds - before.cpuMicroseconds
  return { rate: requests / seconds, cpu: cpu / requests, cores: cpu / 1_000_000 / seconds, times }
}

async function measure(
  contestants: readonly Contestant[],
  requests: number,
  rounds: number,
): Promise<readonly WorkersResult[]> {
  const measured = contestants.map((contestant) => ({ contestant, rounds: [] as Round[] }))
  for (const contestant of contestants) await runRound(contestant, WARM_UP_REQUESTS * contestant.workers)
  for (let round = 0; round < rounds; round += 1) {
    for (const { contestant, rounds: kept } of measured) kept.push(await runRound(contestant, requests))
  }
  const ones = measured.find(({ contestant }) => contestant.workers === 1)?.rounds ?? []
  return measured.map(({ contestant, rounds: kept }) => {
    const times = kept.flatMap((round) => round.times)
    const each = (name: 'rate' | 'cpu' | 'cores', of: readonly Round[] = kept) => of.map((round) => round[name])
    return {
      workers: contestant.workers,
      rate: spreadOf(each('rate')),
      cpu: spreadOf(each('cpu')),
      cores: spreadOf(each('cores')),
      rateOfOne: ratioOf(each('rate'), each('rate', ones)),
      cpuOfOne: ratioOf(each('cpu'), each('cpu', ones)),
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      residentMegabytes: treeUsage(contestant.server.pid).residentBytes / 2 ** 20,
    }
  })
}

function print(results: readonly WorkersResult[]): void {
  console.table(
    results.map(({ workers: count, rate, cpu, cores, rateOfOne, cpuOfOne, p50, p99, residentMegabytes }) => ({
      workers: count,
      ...columnsOf(rate, 'requests/s', 0),
      'of one': rateOfOne.median.toFixed(2),
      'µs CPU a request': cpu.median.toFixed(0),
      'CPU of one': cpuOfOne.median.toFixed(2),
      cores: cores.median.toFixed(2),
      'p50 ms': p50.toFixed(1),
      'p99 ms': p99.toFixed(1),
      'resident MB': residentMegabytes.toFixed(0),
    })),
  )
}
