import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startMeasured } from '../measured-process.ts'
import { writeReport } from '../report.ts'
import { addressesOf } from './addresses.ts'
import { againstName, type Contestant, entrantsOf, type Table } from './contestants.ts'
import { type DialectFigures, measureDialects, printDialects } from './dialects.ts'
import { loads } from './loads.ts'
import { type MemoryFigures, measureMemory, printMemory } from './memory.ts'
import { installPeers } from './peers.ts'
import { findRedis } from './redis.ts'
import { type GatewayResult, measureRequests, printRequests } from './requests.ts'

export const about =
  'chat through the gateway as npm start runs it, compared with a bare relay and other gateways (--address, --header, --model, --pid, --upstream-port, --no-processes, --no-peers, --no-dialects, --against, --only, --loads, --requests, --streams, --warm-up)'

/** What `--json` writes. */
export interface GatewayReport {
  /** The reference server as `npm start` starts it. */
  readonly started: readonly GatewayResult[]
  /** The gateway in processes made for the benchmark. */
  readonly requests: readonly GatewayResult[]
  readonly dialects: readonly DialectFigures[]
  readonly memory: readonly MemoryFigures[]
}

const titles: Readonly<Record<Table, string>> = {
  started: 'Default settings',
  processes: 'Processes of the benchmark',
}

/** The server in which dialects are measured. */
const DIALECTS = 'Fastify, memory'

/**
 * Measures the CPU time for each request of the gateway, with keys, limits, usage and metrics, against a minimal relay and
 * against other gateways (`--no-peers` leaves these out). First the reference server is measured with its default settings,
 * as `npm start` starts it, then the gateway in processes made for the benchmark (`--no-processes` leaves these out). With
 * `--against DIRECTORY` the servers of another checkout take turns too, which shows the cost of a change where the variation
 * of the machine is larger. `--address NAME=URL` adds a server that runs already. All servers of a table run at the same
 * time, in front of one upstream, and take turns.
 */
export default async function gateway(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      json: { type: 'string' },
      peers: { type: 'boolean', default: true },
      processes: { type: 'boolean', default: true },
      dialects: { type: 'boolean', default: true },
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '1500' },
      'warm-up': { type: 'string', default: '1' },
      loads: { type: 'string', default: loads.map(({ name }) => name).join(';') },
      streams: { type: 'string', default: '10000' },
      only: { type: 'string' },
      against: { type: 'string' },
      address: { type: 'string', multiple: true },
      header: { type: 'string', multiple: true },
      model: { type: 'string', multiple: true },
      pid: { type: 'string', multiple: true },
      'upstream-port': { type: 'string', default: '0' },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  const addresses = addressesOf(values)
  if (values.peers) installPeers()
  const redisUrl = await findRedis()
  if (redisUrl === undefined) console.error('No Redis answers at TEST_REDIS_URL or on loopback: its row is left out.')
  const upstream = await startMeasured({
    module: join(import.meta.dirname, 'servers/upstream-process.ts'),
    args: [values['upstream-port']],
  })
  const only = values.only?.split(';')
  const entrants = entrantsOf({
    upstream: upstream.url,
    peers: values.peers,
    profile: values['cpu-prof'],
    against: values.against,
    redisUrl,
    addresses,
  }).filter(({ name }) => !only || only.some((one) => name === one || name === againstName(one)))
  const chosen = loads.filter(({ name }) => values.loads.split(';').includes(name))
  const requests = Number(values.requests)
  const rounds = Number(values.rounds)
  const streams = Number(values.streams)
  const warmUp = Number(values['warm-up'])
  const running: Contestant[] = []
  const memory: MemoryFigures[] = []

  async function measureTable(table: Table): Promise<readonly GatewayResult[]> {
    const here = entrants.filter(({ tables }) => tables.includes(table))
    for (const contestant of running.filter(({ name }) => !here.some((entrant) => entrant.name === name))) {
      running.splice(running.indexOf(contestant), 1)
      await contestant.stop()
    }
    for (const entrant of here)
      if (!running.some(({ name }) => name === entrant.name)) running.push(await entrant.start())
    const contestants = here.flatMap((entrant) => running.filter(({ name }) => name === entrant.name))
    const results: GatewayResult[] = []
    for (const load of chosen) {
      const measured = await measureRequests(contestants, load, {
        rounds,
        requests: Math.ceil(requests * load.share),
        warmUp,
      })
      printRequests(titles[table], measured)
      results.push(...measured)
    }
    const unknown = addresses.map(({ name }) => name)
    for (const contestant of contestants) {
      if (unknown.includes(contestant.name) || memory.some((known) => known.contestant === contestant.name)) continue
      memory.push(await measureMemory(contestant, streams))
    }
    return results
  }

  try {
    const started = await measureTable('started')
    const inProcesses = values.processes ? await measureTable('processes') : []
    const own = running.find(({ name }) => name === DIALECTS)
    const dialects = own && values.dialects ? await measureDialects(own, requests, rounds) : []
    printDialects(dialects)
    printMemory(memory)
    const report: GatewayReport = { started, requests: inProcesses, dialects, memory }
    writeReport(values.json, 'gateway', report)
  } finally {
    for (const contestant of running) await contestant.stop()
    await upstream.stop()
  }
}
