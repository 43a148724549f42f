import { join } from 'node:path'
import { againstName, type Contestant, entrantsOf } from '../gateway/contestants.ts'
import { httpTarget } from '../gateway/load.ts'
import { type MeasuredLoad, spacedStream, whole } from '../gateway/loads.ts'
import { findRedis } from '../gateway/redis.ts'
import { BARE, started } from '../gateway/rows.ts'
import { startMeasured } from '../measured-process.ts'
import { httpSide } from './http-side.ts'
import type { OpenRivals } from './rivals.ts'

const CAPACITY_REQUESTS = 4_000

const namedLoads: Readonly<Record<'chat' | 'stream', MeasuredLoad>> = { chat: whole, stream: spacedStream }

export interface ChatOptions {
  readonly kinds: readonly (keyof typeof namedLoads)[]
  readonly stores: readonly (keyof typeof started)[]
  /** Root of another checkout, whose servers are measured after those of the same stores. */
  readonly against: string | undefined
}

export const allStores = Object.keys(started) as (keyof typeof started)[]

/** Starts the reference server as `npm start` does, on each store, and the bare relay. */
export async function openChat({ kinds, stores, against }: ChatOptions): Promise<OpenRivals> {
  const upstream = await startMeasured({ module: join(import.meta.dirname, '../gateway/servers/upstream-process.ts') })
  const names = [BARE, ...stores.map((store) => started[store]).flatMap((name) => [name, againstName(name)])]
  const redisUrl = stores.includes('redis') ? await findRedis() : undefined
  const running: Contestant[] = []
  for (const entrant of entrantsOf({ upstream: upstream.url, redisUrl, against })) {
    if (names.includes(entrant.name)) running.push(await entrant.start())
  }
  const side = ({ name, process, target }: Contestant, load: MeasuredLoad) =>
    httpSide({
      name,
      process,
      target: httpTarget(load, target(load)),
      connections: load.connections,
      warmUp: load.warmUp,
      requests: Math.ceil(CAPACITY_REQUESTS * load.share),
    })
  const [bare, ...servers] = running
  return {
    rivals: kinds.flatMap((kind) =>
      bare === undefined
        ? []
        : servers.map((server) => ({
            load: `chat, ${namedLoads[kind].name}`,
            server: side(server, namedLoads[kind]),
            floor: side(bare, namedLoads[kind]),
          })),
    ),
    async close() {
      for (const contestant of running) await contestant.stop()
      await upstream.stop()
    },
  }
}
