import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { type Contestant, entrantsOf } from '../gateway/contestants.ts'
import { type Load, runLoad } from '../gateway/load.ts'
import { cpuOfEach } from '../gateway/running-server.ts'
import { startMeasured } from '../measured-process.ts'
import { writeReport } from '../report.ts'
import { columnsOf, percentile, type Spread, spreadOf } from '../spread.ts'

export const about = 'what rules and limits of keys, teams and users add to a request (--requests)'

/** The CPU time of requests with keys of one kind. */
export interface PolicyFigures {
  readonly keys: string
  /** Microseconds of CPU time a request. */
  readonly cpu: Spread
  /** The tenth of the rounds that takes least, in microseconds: other work of the machine affects it least. */
  readonly leastTenth: number
  /** Microseconds of `leastTenth` beside keys without rules. */
  readonly beside: number
}

const rules = {
  models: ['fast', 'openai/*'],
  denied_models: ['openai/o*'],
  endpoints: ['createChatCompletion', 'createResponse', 'createMessage'],
  ip_ranges: ['10.0.0.0/8', '127.0.0.0/8', '::1'],
  tags: ['benchmark'],
}
/** The largest limit, which the load never reaches. */
const rate_limit = 100_000

interface Kind {
  readonly keys: string
  readonly key?: object
  readonly team?: object
  readonly user?: object
}

const kinds: readonly Kind[] = [
  { keys: 'without rules' },
  { keys: 'with rules', key: rules },
  { keys: 'with rules of key, team and user', key: rules, team: rules, user: rules },
  {
    keys: 'with rules and rate limits of key, team and user',
    key: rules,
    team: { ...rules, rate_limit },
    user: { ...rules, rate_limit },
  },
]

const load: Load = { name: 'whole', model: 'mock-1', stream: false, connections: 32 }
const WARM_UP_REQUESTS = 10_000
const CLIENTS = 64
const SERVER = 'Fastify, memory'

/** Measures keys of several kinds in one process, in turns that are short, so that some run without other work of the machine. */
export default async function policies(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      rounds: { type: 'string', default: '1000' },
      requests: { type: 'string', default: '125' },
    },
  })
  const upstream = await startMeasured({ module: join(import.meta.dirname, '../gateway/servers/upstream-process.ts') })
  const server = await entrantsOf({ upstream: upstream.url })
    .find(({ name }) => name === SERVER)
    ?.start()
  if (!server) throw new Error(`There is no server "${SERVER}".`)
  try {
    const figures = await measure(server, Number(values.requests), Number(values.rounds))
    print(figures)
    writeReport(values.json, 'policies', figures)
  } finally {
    await server.stop()
    await upstream.stop()
  }
}

async function measure(
  { process, target, ask }: Contestant,
  requests: number,
  rounds: number,
): Promise<readonly PolicyFigures[]> {
  const sampled = await Promise.all(
    kinds.map(async (kind, index) => ({
      kind,
      clients: await clientsOf(ask, kind, `kind${index}`),
      cpu: [] as number[],
    })),
  )
  const run = (clients: readonly string[], count: number) => runLoad(load, { ...target(load), clients }, count)
  for (const { clients } of sampled) await run(clients, WARM_UP_REQUESTS)
  for (let round = 0; round < rounds; round += 1) {
    // Each kind comes first as often as the others.
    const start = round % sampled.length
    for (const { clients, cpu } of [...sampled.slice(start), ...sampled.slice(0, start)]) {
      cpu.push(await cpuOfEach(process, requests, () => run(clients, requests)))
    }
  }
  const leastOf = (cpu: readonly number[]) => percentile(cpu, 0.1)
  const plain = leastOf(sampled[0]?.cpu ?? [])
  return sampled.map(({ kind, cpu }) => ({
    keys: kind.keys,
    cpu: spreadOf(cpu),
    leastTenth: leastOf(cpu),
    beside: leastOf(cpu) - plain,
  }))
}

function print(figures: readonly PolicyFigures[]): void {
  console.log('\nwhole, by keys: CPU time a request')
  console.table(
    Object.fromEntries(
      figures.map(({ keys, cpu, leastTenth, beside }) => [
        keys,
        {
          ...columnsOf(cpu, 'CPU us', 0),
          'least tenth': leastTenth.toFixed(1),
          'us beside keys without rules': beside.toFixed(1),
        },
      ]),
    ),
  )
}

async function clientsOf(ask: Contestant['ask'], { key, team, user }: Kind, name: string): Promise<readonly string[]> {
  const created = team && v.parse(teamSchema, await ask('/v1/teams', { name, ...team }))
  return Promise.all(
    Array.from({ length: CLIENTS }, async (_, index) => {
      const username = `${name}-${index}`
      if (user) await ask('/v1/users', { username, ...user })
      const issued = await ask('/v1/auth/generate-key', { username, rate_limit, ...created, ...key })
      return `authorization: Bearer ${v.parse(issuedSchema, issued).api_key}\r\n`
    }),
  )
}

const teamSchema = v.object({ team_id: v.string() })
const issuedSchema = v.object({ api_key: v.string() })
