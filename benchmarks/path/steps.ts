import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { entrantsOf } from '../gateway/contestants.ts'
import type { Load, LoadTarget } from '../gateway/load.ts'
import { BARE, started } from '../gateway/rows.ts'
import type { RunningServer } from '../gateway/running-server.ts'
import { type MeasuredProcess, startMeasured } from '../measured-process.ts'

/** A server that does more for a request than that of the step before. */
export interface Step {
  readonly name: string
  readonly process: Pick<RunningServer, 'account' | 'stop'>
  readonly target: LoadTarget
}

const servers = join(import.meta.dirname, 'servers')
const gatewayModule = join(import.meta.dirname, '../gateway/servers/gateway-process.ts')
const CLIENTS = 64
/** The largest limit of a key, which the load never reaches. */
const RATE_LIMIT = 100_000
const issued = v.object({ api_key: v.string() })

/** Starts the servers of all steps, from the bare relay to the default settings of `npm start`. */
export async function startSteps(upstream: string, load: Load): Promise<readonly Step[]> {
  const admin = randomBytes(8).toString('hex')
  const environment = { BENCHMARK_UPSTREAM: upstream, BENCHMARK_ADMIN: admin }
  const entrants = entrantsOf({ upstream })

  const existing = async (name: string, row: string): Promise<Step> => {
    const contestant = await entrants.find((entrant) => entrant.name === row)?.start()
    if (!contestant) throw new Error(`There is no server "${row}".`)
    return { name, process: contestant.process, target: contestant.target(load) }
  }
  const relay = async (name: string, module: string, ...args: string[]): Promise<Step> => {
    const process = await startMeasured({ module: join(servers, module), args, environment })
    return stepOf(name, process, load.model, bearers(Array.from({ length: CLIENTS }, (_, index) => `key-${index}`)))
  }

  const gateway = await startMeasured({ module: gatewayModule, args: ['fastify', 'memory:'], environment })
  const basic = `Basic ${btoa(`admin:${admin}`)}`
  const ofGateway = (name: string, clients: readonly string[]) => stepOf(name, gateway, `openai/${load.model}`, clients)
  return [
    await existing('the bare relay: `node:http` and undici', BARE),
    await relay('on Fastify', 'fastify-relay-process.ts'),
    await relay('12 more headers of the answer', 'fastify-relay-process.ts', 'headers'),
    await relay('with the contract', 'contract-relay-process.ts'),
    await relay('through the provider', 'contract-relay-process.ts', 'provider'),
    ofGateway(
      'in the gateway, by its admin: routes, usage, metrics',
      Array<string>(CLIENTS).fill(`authorization: ${basic}\r\n`),
    ),
    ofGateway('with keys and their limits', await keys(gateway.url, basic)),
    await existing('`npm start`, memory', started.memory),
    await existing('`npm start`, SQLite', started.sqlite),
  ]
}

const stepOf = (name: string, process: MeasuredProcess, model: string, clients: readonly string[]): Step => ({
  name,
  process,
  target: { port: Number(new URL(process.url).port), model, clients },
})

const bearers = (secrets: readonly string[]): readonly string[] =>
  secrets.map((secret) => `authorization: Bearer ${secret}\r\n`)

async function keys(url: string, authorization: string): Promise<readonly string[]> {
  const secrets: string[] = []
  for (let index = 0; index < CLIENTS; index += 1) {
    const response = await fetch(`${url}/v1/auth/generate-key`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ username: `client${index}`, rate_limit: RATE_LIMIT }),
    })
    secrets.push(v.parse(issued, await response.json()).api_key)
  }
  return bearers(secrets)
}
