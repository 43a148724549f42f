import { join } from 'node:path'
import { Client } from 'undici'
import { type MeasuredProcess, startMeasured } from '../measured-process.ts'
import { startReferenceServer } from '../reference-server.ts'
import { count, firstPage, orders, others } from './requests.ts'
import type { FilledStore } from './stores.ts'

/** A server on a filled store, with its paths for the same requests. */
export interface Contestant extends Pick<MeasuredProcess, 'url' | 'account' | 'pauses' | 'stop'> {
  readonly store: string
  readonly server: 'reference server' | 'bare'
  readonly firstPage: string
  readonly count: string
  readonly others: Readonly<Record<string, string>>
  ask(path: string): Promise<string>
}

/** Starts the reference server, and a server of two statements for comparison. */
export async function startContestants(
  store: FilledStore,
  { profile, withOrders }: { readonly profile: boolean; readonly withOrders: boolean },
): Promise<readonly Contestant[]> {
  const ours = await startReferenceServer({
    environment: { DATABASE_URL: store.url },
    execArgv: profile ? ['--cpu-prof', `--cpu-prof-name=storage-${store.name}.cpuprofile`] : [],
  })
  const bare = await startMeasured({
    module: join(import.meta.dirname, 'servers/bare-rules-process.ts'),
    args: [store.url],
  })
  const client = new Client(bare.url)
  return [
    {
      store: store.name,
      server: 'reference server',
      firstPage,
      count,
      others: withOrders ? { ...others, ...orders } : others,
      url: ours.url,
      account: ours.account,
      pauses: ours.pauses,
      ask: (path) => ours.ask('GET', path),
      stop: ours.stop,
    },
    {
      store: store.name,
      server: 'bare',
      firstPage: '/page',
      count: '/count',
      others: {},
      url: bare.url,
      account: bare.account,
      pauses: bare.pauses,
      ask: async (path) => (await client.request({ method: 'GET', path })).body.text(),
      async stop() {
        await client.destroy()
        await bare.stop()
      },
    },
  ]
}
