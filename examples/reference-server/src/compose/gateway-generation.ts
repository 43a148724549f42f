import { join } from 'node:path'
import { createGateway, type Gateway, isForwardableHeader } from '@trivium/gateway-core'
import { gatewayRoutes, gatewaySocketRoutes } from '@trivium/gateway-core/http'
import type { Provider, SearchEngine } from '@trivium/gateway-core/ports'
import type { AdminCheck, AnsweredRequest, Route, SocketRoute } from '@trivium/http-contract'
import { accessOptions } from '../access/without-authentication.ts'
import { assertWritable } from '../ensure-usable-directory.ts'
import type { PrometheusMetrics } from '../metrics/prometheus.ts'
import { makePrivateDirectory } from '../private-files.ts'
import type { Configuration } from '../read-settings.ts'
import { projectsDirectory, type Settings, SettingsError } from '../settings.ts'
import { version } from '../version.ts'
import { directoryImages } from './directory-images.ts'
import { searchEnginesOf } from './search-engines.ts'
import type { Stores } from './stores.ts'
import { firstModel, upstreamsOf } from './upstreams.ts'

/** What every gateway of this server is made with. */
export interface GatewayParts {
  readonly stores: Pick<Stores, 'gateway'>
  readonly metrics: Pick<PrometheusMetrics, 'recorder' | 'refused'>
  readonly isAdmin: AdminCheck
  readonly onAnswered: (answered: AnsweredRequest) => void
  readonly onFault: (error: unknown) => void
  /** Prints a warning for the operator. @default on the standard error */
  readonly warn?: (text: string) => void
  /** Further checks of `/health`, by their names. @default none */
  readonly checks?: Readonly<Record<string, () => Promise<void>>>
}

/** A gateway with one configuration. It is not started. */
export interface GatewayGeneration {
  readonly label: string
  readonly gateway: Gateway
  /** A model for a first chat; absent where the list of models has to be read. */
  readonly firstModel: string | undefined
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  close(): Promise<void>
}

/** @throws SettingsError (rejects) where the configuration cannot be used */
export async function createGeneration(configuration: Configuration, parts: GatewayParts): Promise<GatewayGeneration> {
  const { settings } = configuration
  const { isAdmin, onAnswered, onFault } = parts
  const refused = settings.TRIVIUM_FORWARD_HEADERS.find((name) => !isForwardableHeader(name))
  if (refused !== undefined) {
    const message = `TRIVIUM_FORWARD_HEADERS cannot have "${refused}". Name headers such as openai-organization, without credentials.`
    throw new SettingsError(configuration.config?.conceal(message) ?? message)
  }
  const { providers, searchEngines, gateway } = await usable(configuration, () => create(configuration, parts))
  const options = { admin: isAdmin, ...accessOptions(settings), onAnswered, onFault }
  const names = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).join(', ')
  return {
    label: `models of ${names(providers)}; search by ${names(searchEngines)}`,
    gateway,
    firstModel: firstModel(providers),
    routes: gatewayRoutes(gateway, { ...options, chatBodyLimit: settings.TRIVIUM_CHAT_BODY_MIB * 2 ** 20 }),
    sockets: gatewaySocketRoutes(gateway, options),
    close: () => gateway.close(),
  }
}

interface Created {
  readonly providers: readonly Provider[]
  readonly searchEngines: readonly SearchEngine[]
  readonly gateway: Gateway
}

async function create(
  configuration: Configuration,
  { stores, metrics, onFault, checks }: GatewayParts,
): Promise<Created> {
  const { settings, config } = configuration
  const sections = config && (await import('../config/gateway/gateway-options-of.ts')).gatewayOptionsOf(config.sections)
  const providers = await upstreamsOf(configuration)
  try {
    const searchEngines = await searchEnginesOf(configuration)
    const gateway = createGateway({
      ...sections,
      repositories: stores.gateway,
      providers,
      searchEngines,
      forwardHeaders: settings.TRIVIUM_FORWARD_HEADERS,
      imageStore: directoryImages({ directory: pictures(settings), durability: settings.TRIVIUM_DURABILITY }),
      health: { checks: { ...checksOf(settings), ...checks } },
      retention: { usageDays: settings.TRIVIUM_USAGE_DAYS, endedKeyDays: settings.TRIVIUM_ENDED_KEY_DAYS },
      responses: settings.TRIVIUM_RESPONSES_DAYS > 0 && { retentionDays: settings.TRIVIUM_RESPONSES_DAYS },
      metrics: metrics.recorder,
      onFault,
      version,
    })
    return { providers, searchEngines, gateway }
  } catch (error) {
    await Promise.all(providers.map((provider) => provider.close?.()))
    throw error
  }
}

const pictures = (settings: Settings): string => join(settings.TRIVIUM_DATA_DIR, 'pictures')

const checksOf = (settings: Settings): Readonly<Record<string, () => Promise<void>>> => ({
  pictures: async () => {
    makePrivateDirectory(pictures(settings))
    await assertWritable(pictures(settings))
  },
  ...(settings.TRIVIUM_SERVICES.includes('emulation') && {
    projects: () => assertWritable(projectsDirectory(settings)),
  }),
})

/** Names the file where its content is the mistake. */
async function usable<Value>({ config }: Configuration, make: () => Promise<Value>): Promise<Value> {
  if (!config) return make()
  const { MistakenPart } = await import('../config/gateway/mistaken-part.ts')
  try {
    return await make()
  } catch (error) {
    if (error instanceof MistakenPart) throw new SettingsError(config.describe([error.mistake]))
    // The core checks its options as a whole. Its messages may contain ids.
    const isRefused = error instanceof TypeError || error instanceof RangeError
    if (!isRefused) throw error
    throw new SettingsError(`${config.file}:1:1 The gateway refuses it: ${config.conceal(error.message)}.`)
  }
}
