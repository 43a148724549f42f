import { join } from 'node:path'
import { type Contestant, entrantsOf } from '../gateway/contestants.ts'
import type { Load, LoadTarget } from '../gateway/load.ts'
import { BARE, started } from '../gateway/rows.ts'
import type { RunningServer } from '../gateway/running-server.ts'
import { startMeasured } from '../measured-process.ts'

/** A server that does more for a request than that of the step before. */
export interface Step {
  readonly name: string
  readonly process: Pick<RunningServer, 'account' | 'stop'>
  readonly target: LoadTarget
}

const servers = join(import.meta.dirname, 'servers')
const IN_PROCESS = 'Fastify, memory'
const CLIENTS = 64

/** Starts the servers of all steps, from the bare relay to the default settings of `npm start`. */
export async function startSteps(upstream: string, load: Load): Promise<readonly Step[]> {
  const entrants = entrantsOf({ upstream })

  const start = async (row: string): Promise<Contestant> => {
    const entrant = entrants.find(({ name }) => name === row)
    if (!entrant) throw new Error(`There is no server "${row}".`)
    return entrant.start()
  }
  const stepOf = (name: string, { process, target }: Contestant): Step => ({ name, process, target: target(load) })
  const relay = async (name: string, module: string, ...args: string[]): Promise<Step> => {
    const process = await startMeasured({
      module: join(servers, module),
      args,
      environment: { BENCHMARK_UPSTREAM: upstream },
    })
    const port = Number(new URL(process.url).port)
    return { name, process, target: { port, model: load.model, clients: bare.target.clients } }
  }

  const bare = stepOf('the bare relay: `node:http` and undici', await start(BARE))
  const relays = [
    await relay('on Fastify', 'fastify-relay-process.ts'),
    await relay('12 more headers of the answer', 'fastify-relay-process.ts', 'headers'),
    await relay('with the contract', 'contract-relay-process.ts'),
    await relay('through the provider', 'contract-relay-process.ts', 'provider'),
  ]
  const gateway = await start(IN_PROCESS)
  const withKeys = stepOf('with keys and their limits', gateway)
  const admins = Array<string>(CLIENTS).fill(`authorization: ${gateway.admin}\r\n`)
  return [
    bare,
    ...relays,
    {
      ...withKeys,
      name: 'in the gateway, by its admin: routes, usage, metrics',
      target: { ...withKeys.target, clients: admins },
    },
    withKeys,
    stepOf('`npm start`, memory', await start(started.memory)),
    stepOf('`npm start`, SQLite', await start(started.sqlite)),
  ]
}
