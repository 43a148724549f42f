import type { Address } from './addresses.ts'
import type { Load, LoadTarget } from './load.ts'
import { BARE, PORTKEY, started } from './rows.ts'
import type { RunningServer } from './running-server.ts'
import { type Ask, CLIENTS, type Started, type Starter, startersOf } from './starters.ts'

/** One server that relays chat completions, with the headers of its clients. */
export interface Contestant {
  readonly name: string
  readonly process: RunningServer
  target(load: Load): LoadTarget
  /** Sends a request of the admin to a gateway of this project. Rejects for other servers. */
  readonly ask: Ask
  /** The `authorization` of the admin, of a gateway in a process of the benchmark. */
  readonly admin: string | undefined
  stop(): Promise<void>
}

/** A server that can be started for the tables that contain it. */
export interface Entrant {
  readonly name: string
  readonly tables: readonly Table[]
  start(): Promise<Contestant>
}

/** `started`: the reference server as `npm start` starts it. `processes`: the gateway in processes made for the benchmark. */
export type Table = 'started' | 'processes'

export interface EntrantsOptions {
  readonly upstream: string
  readonly peers?: boolean
  readonly profile?: boolean
  /** Root of another checkout, whose servers of the same names take turns with these. */
  readonly against?: string | undefined
  /** The server of the limits in Redis. The row is left out without one. */
  readonly redisUrl?: string | undefined
  /** Servers that run already. */
  readonly addresses?: readonly Address[]
}

/** Returns the contestant of the other checkout. */
export const againstName = (name: string): string => `${name}, against`

/** Returns the servers that can be measured, in the order of their rows. */
export function entrantsOf(options: EntrantsOptions): readonly Entrant[] {
  const { upstream, peers = false, profile = false, against, redisUrl, addresses = [] } = options
  const { reference, own, bare, llms, portkeyGateway, addressed } = startersOf(upstream, profile)
  const withOther = (name: string, table: Table, make: (checkout?: string) => Starter) => [
    entrant(name, [table], make()),
    ...(against === undefined ? [] : [entrant(againstName(name), [table], make(against))]),
  ]
  const inProcess = (name: string, framework: string, store: 'memory' | 'sqlite') =>
    withOther(name, 'processes', (checkout) => own(framework, store, checkout))
  const withSettings = (name: string, settings: NodeJS.ProcessEnv) =>
    withOther(name, 'started', (checkout) => reference(settings, checkout))

  return [
    entrant(BARE, ['started', 'processes'], bare),
    ...withSettings(started.sqlite, {}),
    ...withSettings(started.memory, { DATABASE_URL: 'memory:' }),
    ...(redisUrl === undefined ? [] : withSettings(started.redis, { REDIS_URL: redisUrl })),
    ...addresses.map((address) => entrant(address.name, ['started'], addressed(address))),
    ...inProcess('Fastify, memory', 'fastify', 'memory'),
    ...inProcess('Fastify, SQLite', 'fastify', 'sqlite'),
    ...inProcess('Express, memory', 'express', 'memory'),
    ...inProcess('Express, SQLite', 'express', 'sqlite'),
    ...inProcess('fetch, memory', 'fetch', 'memory'),
    ...(peers
      ? [entrant('@musistudio/llms', ['processes'], llms), entrant(PORTKEY, ['started', 'processes'], portkeyGateway)]
      : []),
  ]
}

function entrant(name: string, tables: readonly Table[], start: Starter): Entrant {
  return { name, tables, start: async () => contestantOf(name, await start(name)) }
}

function contestantOf(name: string, server: Started): Contestant {
  const { process, ask, admin, clients, modelName = (model: string) => model, place } = server
  const target = {
    port: Number(new URL(process.url).port),
    clients: clients ?? Array<string>(CLIENTS).fill(''),
    ...place,
  }
  return {
    name,
    process,
    target: ({ model }) => ({ ...target, model: modelName(model) }),
    admin,
    ask: ask ?? (() => Promise.reject(new Error(`${name} has no admin.`))),
    stop: () => process.stop(),
  }
}
