import { join } from 'node:path'
import { createGateway, type Gateway, isForwardableHeader } from '@trivium/gateway-core'
import { gatewayRoutes, gatewaySocketRoutes } from '@trivium/gateway-core/http'
import type { AdminCheck, AnsweredRequest, Route, SocketRoute } from '@trivium/http-contract'
import { assertWritable } from '../ensure-usable-directory.ts'
import type { PrometheusMetrics } from '../metrics/prometheus.ts'
import { makePrivateDirectory } from '../private-files.ts'
import { projectsDirectory, type Settings, SettingsError } from '../settings.ts'
import { version } from '../version.ts'
import { directoryImages } from './directory-images.ts'
import { searchEnginesOf } from './search-engines.ts'
import type { Stores } from './stores.ts'
import { firstModel, upstreamsOf } from './upstreams.ts'

export interface GatewayParts {
  readonly settings: Settings
  readonly stores: Stores
  readonly metrics: PrometheusMetrics
  readonly isAdmin: AdminCheck
  readonly onAnswered: (answered: AnsweredRequest) => void
  readonly onFault: (error: unknown) => void
}

export interface GatewayService {
  readonly label: string
  readonly gateway: Gateway
  /** A model for a first chat; absent where the list of models has to be read. */
  readonly firstModel: string | undefined
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  close(): Promise<void>
}

export async function composeGateway({
  settings,
  stores,
  metrics,
  isAdmin,
  onAnswered,
  onFault,
}: GatewayParts): Promise<GatewayService> {
  const refused = settings.TRIVIUM_FORWARD_HEADERS.find((name) => !isForwardableHeader(name))
  if (refused !== undefined) {
    throw new SettingsError(
      `TRIVIUM_FORWARD_HEADERS cannot have "${refused}". Name headers such as openai-organization, without credentials.`,
    )
  }
  const providers = await upstreamsOf(settings)
  const searchEngines = searchEnginesOf(settings)
  const imageDirectory = join(settings.TRIVIUM_DATA_DIR, 'pictures')
  const gateway = createGateway({
    repositories: stores.gateway,
    providers,
    searchEngines,
    forwardHeaders: settings.TRIVIUM_FORWARD_HEADERS,
    imageStore: directoryImages({ directory: imageDirectory, durability: settings.TRIVIUM_DURABILITY }),
    health: {
      checks: {
        pictures: async () => {
          makePrivateDirectory(imageDirectory)
          await assertWritable(imageDirectory)
        },
        ...(settings.TRIVIUM_SERVICES.includes('emulation') && {
          projects: () => assertWritable(projectsDirectory(settings)),
        }),
      },
    },
    retention: { usageDays: settings.TRIVIUM_USAGE_DAYS, endedKeyDays: settings.TRIVIUM_ENDED_KEY_DAYS },
    responses: settings.TRIVIUM_RESPONSES_DAYS > 0 && { retentionDays: settings.TRIVIUM_RESPONSES_DAYS },
    metrics: metrics.recorder,
    onFault,
    version,
  })
  gateway.events.on('limit.exceeded', () => metrics.refused('rate_limited'))
  gateway.events.on('budget.exceeded', () => metrics.refused('budget_exceeded'))
  gateway.events.on('retention.waiting', (newestUsage) => {
    if (newestUsage)
      console.warn(
        `${RETENTION_PAUSED} The newest usage that is at least a day old is from ${newestUsage.toISOString()}.`,
      )
  })
  await gateway.start()
  const options = { admin: isAdmin, onAnswered, onFault }
  const names = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).join(', ')
  return {
    label: `models of ${names(providers)}; search by ${names(searchEngines)}`,
    gateway,
    firstModel: firstModel(providers),
    routes: gatewayRoutes(gateway, { ...options, chatBodyLimit: settings.TRIVIUM_CHAT_BODY_MIB * 2 ** 20 }),
    sockets: gatewaySocketRoutes(gateway, options),
    async close() {
      await gateway.close()
      await Promise.all(providers.map((provider) => provider.close?.()))
    },
  }
}

const RETENTION_PAUSED =
  'Old data is not removed until the clock has run evenly for 24 hours, because the clock may have been wrong.'
