import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { type MeasuredProcess, type MeasuredProcessOptions, startMeasured } from '../measured-process.ts'
import { authorization, startReferenceServer } from '../reference-server.ts'
import { addressedServer } from './addressed-server.ts'
import type { Address } from './addresses.ts'
import type { LoadTarget } from './load.ts'
import type { RunningServer } from './running-server.ts'

/** A server that was started, with what its clients send. */
export interface Started {
  readonly process: RunningServer
  /** Sends a request of the admin to a gateway of this project. */
  readonly ask?: Ask
  /** The `authorization` of the admin of a gateway in a process of the benchmark. */
  readonly admin?: string
  /** The headers of each client, which is a connection with a key of its own. @default none */
  readonly clients?: readonly string[]
  /** Returns its name for a model of the upstream. @default the same name */
  readonly modelName?: (model: string) => string
  /** The parts of its target that its address does not contain. */
  readonly place?: Partial<LoadTarget>
}

/** Sends a body to a path, and returns the answer. */
export type Ask = (path: string, body: object) => Promise<unknown>

/** Starts the server of a row with this name. */
export type Starter = (name: string) => Promise<Started>

/** More than the connections of any load. */
export const CLIENTS = 256
/** The largest limit of a key, which the load never reaches. */
const RATE_LIMIT = 100_000

const servers = join(import.meta.dirname, 'servers')
const serversOf = (checkout: string | undefined): string =>
  checkout === undefined ? servers : join(checkout, 'benchmarks/gateway/servers')
const portkey = join(import.meta.dirname, '../peers/node_modules/@portkey-ai/gateway/build/start-server.js')

/** Returns how each kind of server is started in front of an upstream. */
export function startersOf(upstream: string, profile: boolean) {
  const password = randomBytes(8).toString('hex')
  const admin = `Basic ${btoa(`admin:${password}`)}`
  const environment = { BENCHMARK_UPSTREAM: upstream, BENCHMARK_ADMIN: password }
  const profiled = (name: string): readonly string[] =>
    profile ? ['--cpu-prof', `--cpu-prof-name=gateway-${name.replace(/\W+/g, '-')}.cpuprofile`] : []
  const measured = (name: string, more: Omit<MeasuredProcessOptions, 'environment'>): Promise<MeasuredProcess> =>
    startMeasured({ ...more, environment, execArgv: profiled(name) })

  const reference =
    (settings: NodeJS.ProcessEnv, checkout?: string): Starter =>
    async (name) => {
      const process = await startReferenceServer({
        environment: { OPENAI_BASE_URL: `${upstream}/v1`, OPENAI_API_KEY: 'upstream', ...settings },
        execArgv: profiled(name),
        ...(checkout !== undefined && { checkout }),
      })
      const ask = asAdmin(process.url, authorization)
      return { process, ask, clients: await ownClients(ask), modelName: ofOpenAi }
    }
  const own =
    (framework: string, store: 'memory' | 'sqlite', checkout?: string): Starter =>
    async (name) => {
      const directory = mkdtempSync(join(tmpdir(), 'trivium-bench-'))
      const database = store === 'memory' ? 'memory:' : `sqlite:${join(directory, 'gateway.sqlite')}`
      const process = await measured(name, {
        module: join(serversOf(checkout), 'gateway-process.ts'),
        args: [framework, database],
      })
      const ask = asAdmin(process.url, admin)
      return {
        ask,
        admin,
        process: {
          ...process,
          async stop() {
            await process.stop()
            rmSync(directory, { recursive: true, force: true })
          },
        },
        clients: await ownClients(ask),
        modelName: ofOpenAi,
      }
    }
  const bare: Starter = async (name) => ({
    process: await measured(name, { module: join(servers, 'bare-relay-process.ts') }),
    clients: Array.from({ length: CLIENTS }, (_, index) => `authorization: Bearer key-${index}\r\n`),
  })
  const llms: Starter = async (name) => {
    const port = await freePort()
    const [module, url] = [join(servers, 'llms-process.ts'), `http://127.0.0.1:${port}`]
    return {
      process: await measured(name, { module, args: [String(port)], url }),
      modelName: (model) => `mock,${model}`,
    }
  }
  const portkeyGateway: Starter = async (name) => {
    const port = await freePort()
    const [args, url] = [['--headless', `--port=${port}`], `http://127.0.0.1:${port}`]
    const headers = `authorization: Bearer upstream\r\nx-portkey-provider: openai\r\nx-portkey-custom-host: ${upstream}/v1\r\n`
    return {
      process: await measured(name, { module: portkey, args, url }),
      clients: Array<string>(CLIENTS).fill(headers),
    }
  }
  const addressed =
    (address: Address): Starter =>
    async () => ({
      process: addressedServer(address),
      clients: Array<string>(CLIENTS).fill(address.headers.map((header) => `${header}\r\n`).join('')),
      modelName: (model) => address.model ?? model,
      // Servers may count tokens in another way, and write JSON with spaces.
      place: { host: address.host, port: address.port, path: address.path, sign: '"choices"' },
    })

  return { reference, own, bare, llms, portkeyGateway, addressed }
}

const ofOpenAi = (model: string): string => `openai/${model}`

const issued = v.object({ api_key: v.string() })

const asAdmin =
  (url: string, admin: string): Ask =>
  async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: admin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.json()
  }

const ownClients = (ask: Ask): Promise<readonly string[]> =>
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
