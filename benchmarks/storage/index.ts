import { parseArgs } from 'node:util'
import { writeReport } from '../report.ts'
import { columnsOf, percentile, type Spread, spreadOf } from '../spread.ts'
import { type Contestant, startContestants } from './contestants.ts'
import { walk } from './requests.ts'
import { type FilledStore, fillServer, fillSqlite } from './stores.ts'

export const about =
  'lists of 200,000 quota rules on SQLite and PostgreSQL, compared with a bare server (--rules 1000000, --orders, --only sqlite)'

const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://root@127.0.0.1:5432/test'

/** The limits of the reference server in milliseconds, with 200,000 rules. */
const bars: Readonly<Record<string, number>> = { 'first page': 15, 'later page': 15, count: 60, walk: 4_000 }

const REQUESTS = 40
const COUNTS = 8
const WARM_UP_ROUNDS = 3

export interface StorageResult {
  readonly store: string
  readonly server: Contestant['server']
  readonly request: string
  /** Milliseconds for the client from the request to the last byte; of the walk with the parsing of JSON. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** CPU time of the server for one request in milliseconds, without that of a database server. */
  readonly cpu: Spread
  readonly answerBytes: number
  readonly residentMegabytes: number
}

interface Measured {
  readonly contestant: Contestant
  readonly links: readonly string[]
  readonly samples: Map<string, { readonly times: number[]; readonly cpu: number[]; bytes: number }>
}

/**
 * Measures lists of many quota rules of the reference server, on SQLite and on PostgreSQL, and of a server that only sends
 * the rows. All take turns.
 */
export default async function storage(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      rules: { type: 'string', default: '200000' },
      rounds: { type: 'string', default: '7' },
      only: { type: 'string' },
      orders: { type: 'boolean', default: false },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  const rules = Number(values.rules)
  const measured: Measured[] = []
  const stores: FilledStore[] = []
  try {
    if (values.only !== 'postgres') stores.push(await fillSqlite(rules))
    const postgres = values.only === 'sqlite' ? undefined : await fillServer('PostgreSQL', postgresUrl, rules)
    if (postgres) stores.push(postgres)
    else if (values.only !== 'sqlite') console.error(`PostgreSQL: no server at ${new URL(postgresUrl).host}`)
    for (const store of stores) {
      for (const contestant of await startContestants(store, {
        profile: values['cpu-prof'],
        withOrders: values.orders,
      })) {
        measured.push({ contestant, links: await linksOf(contestant, rules), samples: new Map() })
      }
    }
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) for (const each of measured) await runRound(each)
    for (const { samples } of measured) samples.clear()
    for (let round = 0; round < Number(values.rounds); round += 1) for (const each of measured) await runRound(each)
    const results = (await Promise.all(measured.map(resultsOf))).flat()
    print(results, rules)
    writeReport(values.json, 'storage', { rules, requests: results })
  } finally {
    for (const { contestant } of measured) await contestant.stop()
    for (const store of stores) await store.remove()
  }
}

async function linksOf({ ask, firstPage, store, server }: Contestant, rules: number): Promise<readonly string[]> {
  const { links, records } = await walk(ask, firstPage)
  if (records !== rules) throw new Error(`${store}, ${server}: ${records} of ${rules} rules were listed`)
  return links
}

async function runRound({ contestant, links, samples }: Measured): Promise<void> {
  const { ask, firstPage, count, others } = contestant
  const run = async (name: string, times: number, one: (index: number) => Promise<{ readonly length: number }>) => {
    const sample = samples.get(name) ?? { times: [], cpu: [], bytes: 0 }
    samples.set(name, sample)
    const before = await contestant.account()
    for (let index = 0; index < times; index += 1) {
      const start = performance.now()
      sample.bytes = (await one(index)).length
      sample.times.push(performance.now() - start)
    }
    const { cpuMicroseconds } = await contestant.account()
    sample.cpu.push((cpuMicroseconds - before.cpuMicroseconds) / 1000 / times)
  }
  await run('first page', REQUESTS, () => ask(firstPage))
  // The stride selects early and late pages equally.
  await run('later page', REQUESTS, (index) => ask(links[(index * 73) % links.length] ?? firstPage))
  await run('count', COUNTS, () => ask(count))
  for (const [name, path] of Object.entries(others)) await run(name, COUNTS, () => ask(path))
  await run('walk', 1, async () => (await walk(ask, firstPage)).links)
}

async function resultsOf({ contestant, samples }: Measured): Promise<readonly StorageResult[]> {
  const { residentBytes } = await contestant.account()
  return [...samples].map(([request, { times, cpu, bytes }]) => ({
    store: contestant.store,
    server: contestant.server,
    request,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    cpu: spreadOf(cpu),
    answerBytes: bytes,
    residentMegabytes: residentBytes / 2 ** 20,
  }))
}

function print(results: readonly StorageResult[], rules: number): void {
  for (const request of new Set(results.map((result) => result.request))) {
    const bar = rules === 200_000 ? bars[request] : undefined
    console.log(`\n${request}${bar === undefined ? '' : `: bar ${bar} ms`}`)
    console.table(
      Object.fromEntries(
        results
          .filter((result) => result.request === request)
          .map(({ store, server, p50, p95, p99, cpu, answerBytes, residentMegabytes }) => [
            `${store}, ${server}`,
            {
              'p50 ms': p50.toFixed(1),
              'p95 ms': p95.toFixed(1),
              'p99 ms': p99.toFixed(1),
              ...columnsOf(cpu, 'CPU ms', 1),
              ...(request !== 'walk' && { 'answer kB': (answerBytes / 1000).toFixed(0) }),
              'resident MB': residentMegabytes.toFixed(0),
            },
          ]),
      ),
    )
  }
}
