import type { AnsweredRequest } from '@trivium/http-contract'
import { composeGateway, type GatewayService } from '../compose/gateway.ts'
import { openStores, type Stores } from '../compose/stores.ts'
import { ignoreOutputErrors } from '../ignore-output-errors.ts'
import { prometheusMetrics } from '../metrics/prometheus.ts'
import { type Configuration, readSettings } from '../read-settings.ts'
import { runningSettings } from '../reload/running-settings.ts'
import { type Listening, listen } from '../serve/listen.ts'
import { SettingsError } from '../settings.ts'
import { acceptWorkers } from './accept-workers.ts'
import type { PrimaryCalls, WorkerCalls, WorkerEnd, WorkerStart } from './calls.ts'
import { type Ask, openChannel } from './channel.ts'
import { relayEvents } from './event-relay.ts'
import { forwardRequests } from './forward-requests.ts'
import { forwardUpgrades } from './forward-upgrades.ts'
import { passToOwner } from './pass-to-owner.ts'
import { sharedInvalidations } from './shared-invalidations.ts'

/** How long running answers may continue when a worker that was replaced has waited for its clients. */
const LAST_GRACE_SECONDS = 10

const onFault = (error: unknown): void => console.error(error)

const ignore = () => undefined

/** Runs this process as one of several that serve the gateway, until the primary ends it. */
export async function runWorker(): Promise<void> {
  ignoreOutputErrors()
  // A terminal and a service manager signal all processes. The primary decides when each one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, ignore)
  // The answer of the primary may be all that the process waits for.
  process.channel?.ref()
  const work = Promise.withResolvers<Work>()
  const invalidations = sharedInvalidations((id) => ask('publishKey', id))
  const metrics = prometheusMetrics()
  let closing: Promise<void> | undefined
  const ask: Ask<PrimaryCalls> = openChannel<PrimaryCalls, WorkerCalls>(primary, {
    reconfigure: async (text) => (await work.promise).reconfigure(text),
    readMetrics: metrics.snapshot,
    ownsResponse: async (id) => (await work.promise).owns(id),
    forgetKey: invalidations.forget,
    async close(end) {
      const { close, hasten } = await work.promise
      if (closing) hasten()
      closing ??= close(end)
      await closing
      setImmediate(() => process.disconnect?.())
      return metrics.snapshot()
    },
  })
  try {
    const start = await ask('begin')
    const begun = await begin(start, { ask, metrics, share: invalidations.share })
    work.resolve(begun)
    await ask('ready', begun.ready)
  } catch (error) {
    if (error instanceof SettingsError) await ask('refuse', error.message)
    else onFault(error)
    process.exit(1)
  }
}

/** What the primary can ask of a worker that accepts requests. */
interface Work {
  readonly ready: PrimaryCalls['ready']['asks']
  reconfigure(text: string): Promise<string>
  owns(responseId: string): boolean
  close(end: WorkerEnd): Promise<void>
  /** Ends the wait of a worker that was replaced. */
  hasten(): void
}

interface WorkerParts {
  readonly ask: Ask<PrimaryCalls>
  readonly metrics: ReturnType<typeof prometheusMetrics>
  readonly share: (repositories: Stores['gateway']) => Stores['gateway']
}

async function begin(start: WorkerStart, { ask, metrics, share }: WorkerParts): Promise<Work> {
  const read = async (text: string | undefined): Promise<Configuration> => {
    const request = await readSettings(process.argv.slice(2), process.env, text)
    if (!('configuration' in request)) throw new Error('A worker is started as the server is.')
    const { configuration } = request
    return { ...configuration, settings: runningSettings(start.settings, configuration.settings) }
  }
  const configuration = await read(start.configText)
  const { settings } = configuration
  const stores = await openStores(settings)
  // It fails only where the primary ends, and then this process does.
  const report = (sent: Promise<void>) => void sent.catch(ignore)
  const gateway = await composeGateway(configuration, {
    stores: { gateway: share(stores.gateway) },
    metrics,
    isAdmin: ({ username, password }, { remoteAddress } = {}) =>
      ask('checkAdmin', {
        credentials: { password, ...(username !== undefined && { username }) },
        remoteAddress,
      }),
    onAnswered(request) {
      if (request.refusal !== undefined) metrics.refused(request.refusal)
      if (isNoted(request)) report(ask('noteAnswered', { service: 'gateway', request }))
    },
    onFault,
    warn: (text) => report(ask('warn', text)),
    checks: {
      workers: async () => {
        const missing = await ask('countMissing')
        if (missing > 0) throw new Error(`${start.workers - missing} of ${start.workers} workers run.`)
      },
    },
  }).catch(async (error: unknown) => {
    await stores.close()
    throw error
  })
  const relay = relayEvents(gateway.gateway, (events) => report(ask('relayEvents', events)))
  const onForeign = (remoteAddress: string | undefined) => {
    metrics.refused('foreign_origin')
    report(ask('noteForeign', remoteAddress))
  }
  const { hop, ownPath } = start
  const ownerOf = async (id: string) => {
    const path = gateway.runs(id) ? undefined : await ask('findOwner', id)
    return path === undefined ? undefined : forwardRequests({ ...hop, path })
  }
  const listening = await listen(gateway, settings, onForeign, {
    unrouted: forwardRequests(hop),
    prepare: (server) => {
      // Otherwise the primary would offer the connection to the workers again and again.
      Object.assign(server, { dropMaxConnection: true })
      passToOwner(server, ownerOf, onFault)
      return [acceptWorkers(server, { ...hop, path: ownPath }, onFault), forwardUpgrades(server, gateway.sockets, hop)]
    },
  })
  const hastened = Promise.withResolvers<void>()
  return {
    ready: {
      url: listening.url,
      connections: listening.connections,
      label: gateway.label,
      firstModel: gateway.firstModel,
    },
    async reconfigure(text) {
      await gateway.reconfigure(await read(text))
      return gateway.label
    },
    owns: (id) => gateway.runs(id),
    hasten: hastened.resolve,
    async close({ graceSeconds, isReplaced }) {
      if (isReplaced) {
        await Promise.race([retire(gateway, listening), hastened.promise, after(graceSeconds)])
        await listening.close(LAST_GRACE_SECONDS)
      } else await listening.close(graceSeconds)
      await gateway.close()
      await stores.close()
      relay.flush()
    },
  }
}

/** What the audit log of the primary writes. */
const isNoted = ({ refusal, caller, method, status }: AnsweredRequest): boolean =>
  refusal !== undefined || (caller !== undefined && (method !== 'GET' || status === 101))

/** Resolves once no client is connected and no response runs in the background. */
async function retire(gateway: GatewayService, listening: Listening): Promise<void> {
  await listening.retire()
  await gateway.retire()
}

const after = (seconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000).unref()
  })

const primary = {
  send(message: object): boolean {
    if (!process.connected) return false
    process.send?.(message, undefined, undefined, ignore)
    return true
  },
  onMessage: (listener: (message: unknown) => void) => void process.on('message', listener),
  onClose: (listener: () => void) => void process.once('disconnect', listener),
}
