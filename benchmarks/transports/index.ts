import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type MeasuredProcess, startMeasured } from '../measured-process.ts'
import { writeReport } from '../report.ts'
import { columnsOf, percentile, ratioOf, type Spread, spreadOf } from '../spread.ts'
import { type Load, runLoad } from './load.ts'

export const about =
  'the route contract on Fastify, Express and fetch, compared with the same routes by hand (--against, --requests, --servers, --cases)'

const names = [
  'node-by-hand',
  'fastify-by-hand',
  'contract-on-fastify',
  'express-by-hand',
  'contract-on-express',
  'contract-on-fetch',
]

const body = JSON.stringify({
  name: 'A thing that someone keeps',
  size: 4711,
  tags: ['one', 'two', 'three'],
  owner: { name: 'Someone', email: 'someone@example.org' },
})

interface Case extends Load {
  readonly name: string
  /** The share of the requests of a round: streams take longer than other answers. */
  readonly share: number
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\n\r\n`

const cases: readonly Case[] = [
  { name: 'GET', ends: 'by-length', share: 1, request: get('/things/some-id') },
  {
    name: 'POST',
    ends: 'by-length',
    share: 1,
    request: `POST /things HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  },
  { name: 'stream of 20', ends: 'by-last-chunk', share: 0.15, request: get('/events') },
  { name: 'relay of 20', ends: 'by-last-chunk', share: 0.15, request: get('/relayed') },
]

const WARM_UP_ROUNDS = 4

/** The server with which each is compared, in addition to bare Node. */
const byHand: Readonly<Record<string, string>> = {
  'contract-on-fastify': 'fastify-by-hand',
  'contract-on-express': 'express-by-hand',
}

export interface TransportResult {
  readonly case: string
  readonly server: string
  /** Microseconds of the server's CPU time a request. */
  readonly cpu: Spread
  /** CPU time against that of the same routes by hand in the same round. */
  readonly ofByHand: Spread | undefined
  readonly ofBareNode: Spread | undefined
  /** CPU time against that of the other checkout's server in the same round. */
  readonly ofAgainst: Spread | undefined
  /** Milliseconds from a request to the last byte of its answer. */
  readonly p50: number
  readonly p99: number
  readonly residentMegabytes: number
}

interface Server extends MeasuredProcess {
  readonly name: string
}

/**
 * Measures the CPU time for each request, of every server and case. All servers run at the same time and take turns, so that
 * other work of the machine affects each of them. With `--against DIRECTORY` the servers of another checkout take turns too.
 * `--cpu-prof` writes a profile of each server.
 */
export default async function transports(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      rounds: { type: 'string', default: '7' },
      requests: { type: 'string', default: '8000' },
      servers: { type: 'string', default: names.join(',') },
      cases: { type: 'string', default: cases.map(({ name }) => name).join(',') },
      against: { type: 'string' },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  const wanted = values.servers.split(',')
  const servers: Server[] = []
  try {
    for (const name of wanted) {
      const execArgv = values['cpu-prof'] ? ['--cpu-prof', `--cpu-prof-name=${name}.cpuprofile`] : []
      servers.push({ name, ...(await start(import.meta.dirname, name, execArgv)) })
      if (values.against === undefined || name.endsWith('by-hand')) continue
      const other = join(values.against, 'benchmarks/transports')
      servers.push({ name: againstName(name), ...(await start(other, name, execArgv)) })
    }
    const results: TransportResult[] = []
    for (const load of cases.filter(({ name }) => values.cases.split(',').includes(name))) {
      results.push(...(await measure(servers, load, Number(values.rounds), Number(values.requests))))
    }
    print(results)
    writeReport(values.json, 'transports', results)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const start = (directory: string, name: string, execArgv: readonly string[]): Promise<MeasuredProcess> =>
  startMeasured({ module: join(directory, 'server-process.ts'), args: [name], execArgv })

/** Returns the name of the server of the other checkout. */
const againstName = (name: string): string => `${name}, against`

async function measure(
  servers: readonly Server[],
  load: Case,
  rounds: number,
  requests: number,
): Promise<readonly TransportResult[]> {
  const count = Math.ceil(requests * load.share)
  const portOf = ({ url }: Server) => Number(new URL(url).port)
  const samples = servers.map((server) => ({ server, cpu: [] as number[], times: [] as number[] }))
  // The code is optimised first, which takes tens of thousands of requests.
  for (const { server } of samples) await runLoad(portOf(server), load, count * WARM_UP_ROUNDS)
  for (let round = 0; round < rounds; round += 1) {
    for (const { server, cpu, times } of samples) {
      const before = await server.account()
      times.push(...(await runLoad(portOf(server), load, count)))
      cpu.push(((await server.account()).cpuMicroseconds - before.cpuMicroseconds) / count)
    }
  }
  const cpuOf = (name: string | undefined) => samples.find(({ server }) => server.name === name)?.cpu
  const bareNode = cpuOf('node-by-hand')
  return Promise.all(
    samples.map(async ({ server, cpu, times }) => {
      const hand = cpuOf(byHand[server.name])
      const against = cpuOf(againstName(server.name))
      return {
        case: load.name,
        server: server.name,
        cpu: spreadOf(cpu),
        ofByHand: hand && ratioOf(cpu, hand),
        ofBareNode: bareNode && ratioOf(cpu, bareNode),
        ofAgainst: against && ratioOf(cpu, against),
        p50: percentile(times, 0.5),
        p99: percentile(times, 0.99),
        residentMegabytes: (await server.account()).residentBytes / 2 ** 20,
      }
    }),
  )
}

function print(results: readonly TransportResult[]): void {
  for (const name of new Set(results.map((result) => result.case))) {
    console.log(`\n${name}: CPU time a request`)
    console.table(
      Object.fromEntries(
        results
          .filter((result) => result.case === name)
          .map(({ server, cpu, ofByHand, ofBareNode, ofAgainst, p50, p99, residentMegabytes }) => [
            server,
            {
              ...columnsOf(cpu, 'CPU us', 1),
              'of by hand': ofByHand?.median.toFixed(2) ?? '',
              'of bare Node': ofBareNode?.median.toFixed(2) ?? '',
              ...(ofAgainst && { 'of against': ofAgainst.median.toFixed(3) }),
              'p50 ms': p50.toFixed(2),
              'p99 ms': p99.toFixed(2),
              'resident MB': residentMegabytes.toFixed(0),
            },
          ]),
      ),
    )
  }
}
