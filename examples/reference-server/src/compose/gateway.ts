import type { Route, SocketRoute } from '@trivium/http-contract'
import type { Configuration } from '../read-settings.ts'
import { createGeneration, type GatewayParts } from './gateway-generation.ts'
import { type GatewayEventsSource, SwappableGateway } from './swappable-gateway.ts'

export interface GatewayService {
  /** What it runs on now. */
  readonly label: string
  /** A model for a first chat; absent where the list of models has to be read. */
  readonly firstModel: string | undefined
  /** The events of all gateways. */
  readonly gateway: GatewayEventsSource
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /**
   * Replaces the gateway for new requests. Those that run are finished by the one that has them.
   *
   * @throws SettingsError (rejects) where the configuration cannot be used; then nothing is changed
   */
  reconfigure(configuration: Configuration): Promise<void>
  /** Whether it runs this response in the background. */
  runs(id: string): boolean
  /** Resolves once no response runs in the background. Requests are still answered. */
  retire(): Promise<void>
  close(): Promise<void>
}

export async function composeGateway(configuration: Configuration, parts: GatewayParts): Promise<GatewayService> {
  const first = await createGeneration(configuration, parts)
  const swappable = new SwappableGateway(first, parts.onFault)
  const { events } = swappable
  events.on('limit.exceeded', () => parts.metrics.refused('rate_limited'))
  events.on('budget.exceeded', () => parts.metrics.refused('budget_exceeded'))
  const { warn = console.warn } = parts
  let isWarned = false
  events.on('retention.waiting', (newestUsage) => {
    if (!newestUsage || isWarned) return
    isWarned = true
    warn(`${RETENTION_PAUSED} The newest usage that is at least a day old is from ${newestUsage.toISOString()}.`)
  })
  try {
    await first.gateway.start()
  } catch (error) {
    await swappable.close()
    throw error
  }
  return {
    get label() {
      return swappable.current.label
    },
    firstModel: first.firstModel,
    gateway: swappable,
    routes: swappable.routes,
    sockets: swappable.sockets,
    async reconfigure(changed) {
      const next = await createGeneration(changed, parts)
      try {
        await next.gateway.start()
      } catch (error) {
        await next.close()
        throw error
      }
      swappable.replace(next)
    },
    runs: (id) => swappable.runs(id),
    retire: () => swappable.current.gateway.retire(),
    close: () => swappable.close(),
  }
}

const RETENTION_PAUSED =
  'Old data is not removed until the clock has run evenly for 24 hours, because the clock may have been wrong.'
