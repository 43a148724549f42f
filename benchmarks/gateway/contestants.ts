import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { type MeasuredProcess, type MeasuredProcessOptions, startMeasured } from '../measured-process.ts'
import type { Load, LoadTarget } from './load.ts'

/** One server that relays chat completions, with the headers of its clients. */
export interface Contestant {
  readonly name: string
  readonly process: MeasuredProcess
  target(load: Load): LoadTarget
  /** Sends a request of the admin to a gateway of this project. */
  ask(path: string, body: object): Promise<unknown>
  stop(): Promise<void>
}

interface Started {
  readonly process: MeasuredProcess
  /** The headers of each client, which is a connection with a key of its own. @default none */
  readonly clients?: readonly string[]
  /** Returns its name for a model of the upstream. @default the same name */
  readonly modelName?: (model: string) => string
}

export interface ContestantsOptions {
  readonly upstream: string
  readonly peers: boolean
  readonly only: readonly string[] | undefined
  readonly profile: boolean
  /** Root of another checkout, whose servers of the same names take turns with these. */
  readonly against: string | undefined
}

/** Returns the name of the contestant of the other checkout. */
export const againstName = (name: string): string => `${name}, against`

/** More than the connections of any load. */
const CLIENTS = 64
/** The largest limit of a key, which the load never reaches. */
const RATE_LIMIT = 100_000

const servers = join(import.meta.dirname, 'servers')
const serversOf = (checkout: string): string => join(checkout, 'benchmarks/gateway/servers')
const portkey = join(import.meta.dirname, '../peers/node_modules/@portkey-ai/gateway/build/start-server.js')

export async function startContestants(options: ContestantsOptions): Promise<Contestant[]> {
  const { upstream, peers, only, profile, against } = options
  const directory = mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  const admin = randomBytes(8).toString('hex')
  const environment = { BENCHMARK_UPSTREAM: upstream, BENCHMARK_ADMIN: admin }

  const bare = async (): Promise<Started> => ({
    process: await start({ module: join(servers, 'bare-relay-process.ts') }),
    clients: Array.from({ length: CLIENTS }, (_, index) => `authorization: Bearer key-${index}\r\n`),
  })
  const own = (framework: string, store: 'memory' | 'sqlite', from: string) => async (): Promise<Started> => {
    const file = join(directory, `${current.replace(/\W+/g, '-')}.sqlite`)
    const database = store === 'memory' ? 'memory:' : `sqlite:${file}`
    const process = await start({ module: join(from, 'gateway-process.ts'), args: [framework, database] })
    return { process, clients: await ownClients(asAdmin(process.url, admin)), modelName: (model) => `openai/${model}` }
  }
  const llms = async (): Promise<Started> => {
    const port = await freePort()
    const process = await start({
      module: join(servers, 'llms-process.ts'),
      args: [String(port)],
      url: `http://127.0.0.1:${port}`,
    })
    return { process, modelName: (model) => `mock,${model}` }
  }
  const portkeyGateway = async (): Promise<Started> => {
    const port = await freePort()
    const process = await start({
      module: portkey,
      args: ['--headless', `--port=${port}`],
      url: `http://127.0.0.1:${port}`,
    })
    const headers = `authorization: Bearer upstream\r\nx-portkey-provider: openai\r\nx-portkey-custom-host: ${upstream}/v1\r\n`
    return { process, clients: Array.from({ length: CLIENTS }, () => headers) }
  }

  const ownOf = (from: string): Readonly<Record<string, () => Promise<Started>>> => ({
    'Fastify, memory': own('fastify', 'memory', from),
    'Fastify, SQLite': own('fastify', 'sqlite', from),
    'Express, memory': own('express', 'memory', from),
    'Express, SQLite': own('express', 'sqlite', from),
    'fetch, memory': own('fetch', 'memory', from),
  })
  const makers: readonly (readonly [name: string, make: () => Promise<Started>])[] = [
    ['bare relay', bare],
    ...Object.entries(ownOf(servers)).flatMap(([name, make]) => {
      const other = against === undefined ? undefined : ownOf(serversOf(against))[name]
      return [[name, make] as const, ...(other ? [[againstName(name), other] as const] : [])]
    }),
    ...(peers
      ? ([
          ['@musistudio/llms', llms],
          ['@portkey-ai/gateway', portkeyGateway],
        ] as const)
      : []),
  ]

  let current = ''
  function start(options: Omit<MeasuredProcessOptions, 'environment'>): Promise<MeasuredProcess> {
    const name = current.replace(/\W+/g, '-')
    const execArgv = profile ? ['--cpu-prof', `--cpu-prof-name=gateway-${name}.cpuprofile`] : []
    return startMeasured({ ...options, environment, execArgv })
  }

  const contestants: Contestant[] = []
  for (const [name, make] of makers) {
    if (only && !only.some((one) => name === one || name === againstName(one))) continue
    current = name
    const { process, clients = Array<string>(CLIENTS).fill(''), modelName = (model: string) => model } = await make()
    const port = Number(new URL(process.url).port)
    contestants.push({
      name,
      process,
      target: ({ model }) => ({ port, clients, model: modelName(model) }),
      ask: asAdmin(process.url, admin),
      async stop() {
        await process.stop()
        contestants.splice(
          contestants.findIndex((one) => one.process === process),
          1,
        )
        if (contestants.length === 0) rmSync(directory, { recursive: true, force: true })
      },
    })
  }
  return contestants
}

const issued = v.object({ api_key: v.string() })

const asAdmin =
  (url: string, admin: string): Contestant['ask'] =>
  async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`admin:${admin}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.json()
  }

const ownClients = (ask: Contestant['ask']): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: CLIENTS }, async (_, index) => {
      const key = await ask('/v1/auth/generate-key', { username: `client${index}`, rate_limit: RATE_LIMIT })
      return `authorization: Bearer ${v.parse(issued, key).api_key}\r\n`
    }),
  )

/** Returns a free port, for servers that do not print theirs. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
