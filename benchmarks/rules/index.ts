import { parseArgs } from 'node:util'
import { startReferenceServer } from '../reference-server.ts'
import { writeReport } from '../report.ts'
import { columnsOf, percentile, type Spread, spreadOf } from '../spread.ts'
import { type FilledStore, fillServer, fillSqlite } from '../storage/stores.ts'
import { pages } from './pages.ts'

export const about =
  'pages of a million quota rules on SQLite, PostgreSQL and MariaDB (--rules, --only sqlite, --database for one filled before)'

/** The most CPU time of the server for a page that an index serves, in milliseconds. */
export const PAGE_LIMIT_MS = 50

const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://root@127.0.0.1:5432/test'
const mysqlUrl = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test'
const stores = ['sqlite', 'postgres', 'mysql'] as const
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MariaDB' } as const

type Store = (typeof stores)[number]

export interface PageResult {
  readonly store: string
  readonly request: string
  readonly indexed: boolean
  /** Milliseconds for the client. */
  readonly p50: number
  readonly p95: number
  /** CPU time of the server for one request in milliseconds, without that of a database server. */
  readonly cpu: Spread
  readonly answerBytes: number
}

/** Requests of one sort in a round. */
const REQUESTS = 4

/** Measures the reference server on one store after another. */
export default async function rules(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      rules: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '7' },
      only: { type: 'string' },
      database: { type: 'string', multiple: true, default: [] },
    },
  })
  const count = Number(values.rules)
  const results: PageResult[] = []
  for (const store of stores.filter((one) => values.only === undefined || one === values.only)) {
    const filled = values.database.find((url) => url.startsWith(store))
    const start = performance.now()
    const ready = filled === undefined ? await fill(store, count) : { url: filled, remove: async () => {} }
    if (ready === undefined) {
      console.error(`${names[store]}: no server`)
      continue
    }
    if (filled === undefined) {
      console.log(`${names[store]}: filled in ${((performance.now() - start) / 1000).toFixed(0)} s`)
    }
    try {
      results.push(...(await measure(names[store], ready.url, Number(values.rounds))))
    } finally {
      await ready.remove()
    }
  }
  print(results)
  writeReport(values.json, 'rules', { rules: count, pages: results })
}

function fill(store: Store, count: number): Promise<Pick<FilledStore, 'url' | 'remove'> | undefined> {
  if (store === 'sqlite') return fillSqlite(count)
  return fillServer(names[store], store === 'postgres' ? postgresUrl : mysqlUrl, count)
}

async function measure(store: string, url: string, rounds: number): Promise<readonly PageResult[]> {
  const server = await startReferenceServer({ environment: { DATABASE_URL: url } })
  try {
    const samples = pages.map((page) => ({ page, times: [] as number[], cpu: [] as number[], bytes: 0 }))
    for (const { page } of samples) await server.ask('GET', page.path)
    for (let round = 0; round < rounds; round += 1) {
      for (const sample of samples) {
        const before = await server.account()
        for (let request = 0; request < REQUESTS; request += 1) {
          const start = performance.now()
          sample.bytes = (await server.ask('GET', sample.page.path)).length
          sample.times.push(performance.now() - start)
        }
        const { cpuMicroseconds } = await server.account()
        sample.cpu.push((cpuMicroseconds - before.cpuMicroseconds) / 1000 / REQUESTS)
      }
    }
    return samples.map(({ page: { name, indexed }, times, cpu, bytes }) => ({
      store,
      request: name,
      indexed,
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      cpu: spreadOf(cpu),
      answerBytes: bytes,
    }))
  } finally {
    await server.stop()
  }
}

const print = (results: readonly PageResult[]): void =>
  console.table(
    Object.fromEntries(
      results.map(({ store, request, indexed, p50, p95, cpu, answerBytes }) => [
        `${store}, ${request}`,
        {
          'p50 ms': p50.toFixed(1),
          'p95 ms': p95.toFixed(1),
          ...columnsOf(cpu, 'CPU ms', 1),
          'bar ms': indexed ? PAGE_LIMIT_MS : '',
          'answer kB': (answerBytes / 1000).toFixed(0),
        },
      ]),
    ),
  )
