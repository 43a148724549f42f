import * as v from 'valibot'
import { columnsOf, percentile, type Spread, spreadOf } from '../spread.ts'
import type { Contestant } from './contestants.ts'
import { type Load, runLoad } from './load.ts'

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
/** Each round is divided, so that some parts run without other work of the machine. */
const PARTS = 24

/** Measures what rules and limits above keys cost, in one process, in turns. */
export async function measurePolicies(
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
  const count = Math.ceil(requests / PARTS)
  for (let part = 0; part < rounds * PARTS; part += 1) {
    // Each kind comes first as often as the others.
    const start = part % sampled.length
    for (const { clients, cpu } of [...sampled.slice(start), ...sampled.slice(0, start)]) {
      const before = await process.account()
      await run(clients, count)
      const after = await process.account()
      cpu.push((after.cpuMicroseconds - before.cpuMicroseconds) / count)
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

export function printPolicies(figures: readonly PolicyFigures[]): void {
  if (figures.length === 0) return
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
