import { type ApiKeys, type ApiKeysOptions, createApiKeys } from './api-keys/api-keys.ts'
import { createTokenBudgets, type TokenBudgets } from './budgets/token-budgets.ts'
import { type Chat, type ChatOptions, createChat } from './chat/chat.ts'
import { createEvents, type GatewayEventEmitter } from './events/emit.ts'
import type { GatewayRepositories } from './gateway-repositories.ts'
import { createHealthCheck, type Health } from './health/health.ts'
import type { ImageStore } from './images/image-store.ts'
import { createImages, type Images, type ImagesOptions } from './images/images.ts'
import type { MetricsRecorder } from './metrics/metrics-recorder.ts'
import { openTelemetryMetrics } from './metrics/open-telemetry-metrics.ts'
import { recordMetrics } from './metrics/record-metrics.ts'
import { createModelCalls } from './models/model-calls.ts'
import type { ModelRoute } from './models/model-route.ts'
import { createModels, type Models } from './models/models.ts'
import type { CircuitOptions } from './providers/circuit.ts'
import type { DiscoveryOptions } from './providers/discovered-models.ts'
import type { Provider } from './providers/provider.ts'
import { createRetries, type RetryOptions } from './providers/retries.ts'
import { createUpstreams } from './providers/upstream.ts'
import type { UpstreamTimeouts } from './providers/upstream-timeouts.ts'
import { createRequestLimits, type RequestLimits } from './rate-limits/request-limits.ts'
import { createSearch, type Search, type SearchOptions } from './search/search.ts'
import type { SearchEngine } from './search/search-engine.ts'
import { createRequestBook } from './usage/request-book.ts'
import { createUsageRecorder, type UsageRecorderOptions } from './usage/usage-recorder.ts'
import { createUsageReports, type UsageReports } from './usage/usage-reports.ts'
import { VERSION } from './version.ts'

/** What a host puts together. Only `repositories` and `providers` are needed. */
export interface GatewayOptions {
  /** Where keys, limits, budgets and usage are kept. */
  readonly repositories: GatewayRepositories
  /** The upstreams. Their ids are unique and begin the ids of their models. */
  readonly providers: readonly Provider[]
  /** The first one is the default. @default none */
  readonly searchEngines?: readonly SearchEngine[]
  /** Without it pictures are answered inline only. */
  readonly imageStore?: ImageStore
  /** Models of the gateway's own: an alias for `provider/model`, or a route with weights and fallbacks. */
  readonly models?: Readonly<Record<string, string | ModelRoute>>
  readonly apiKeys?: ApiKeysOptions
  readonly chat?: ChatOptions
  readonly images?: ImagesOptions
  readonly search?: SearchOptions
  readonly usage?: UsageRecorderOptions
  readonly timeouts?: UpstreamTimeouts
  readonly retries?: RetryOptions
  readonly circuit?: CircuitOptions
  readonly discovery?: DiscoveryOptions
  /** Whether requests of keys pass when their limits can't be asked. @default 'refuse' */
  readonly onStoreFailure?: 'refuse' | 'admit'
  /** Measures besides OpenTelemetry. */
  readonly metrics?: MetricsRecorder
  /** Told of every fault that no caller hears of. @default nobody */
  readonly onFault?: (error: unknown) => void
  /** What `/health` tells. @default the package's */
  readonly version?: string
  /** @default the system's clock */
  readonly now?: () => Date
  /** Makes ids of keys, requests and records. @default crypto.randomUUID */
  readonly newId?: () => string
  /** From 0 up to 1: draws among weighted models and spreads retries. @default Math.random */
  readonly random?: () => number
}

/** The services of one process. Several processes may share the repositories. */
export interface Gateway {
  readonly apiKeys: ApiKeys
  readonly limits: RequestLimits
  readonly budgets: TokenBudgets
  readonly models: Models
  readonly chat: Chat
  readonly images: Images
  readonly search: Search
  readonly usage: UsageReports
  readonly health: () => Promise<Health>
  readonly events: GatewayEventEmitter
  /** Writes what waits to be written. Answers that still run go on, and are cut with their providers. */
  close(): Promise<void>
}

/**
 * Puts the services together. Upstreams are asked with the first request that needs them.
 *
 * @throws TypeError for an id of a provider or search engine that is malformed or occurs twice
 *
 * @example
 * ```ts
 * import { createGateway } from '@trivium/gateway-core'
 * import { localProvider } from '@trivium/local-provider'
 * import { memoryGatewayRepositories } from '@trivium/memory-repositories/gateway'
 *
 * const gateway = createGateway({ repositories: memoryGatewayRepositories(), providers: [localProvider()] })
 * const issued = await gateway.apiKeys.generate({ username: 'me' })
 * ```
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { repositories, providers, searchEngines = [], onStoreFailure = 'refuse', version = VERSION } = options
  const { now = () => new Date(), newId = () => crypto.randomUUID(), random = Math.random } = options
  const onFault = guarded(options.onFault)
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const { events, emit } = createEvents(onFault)

  const recorder = createUsageRecorder(options.usage ?? {}, {
    usage: repositories.usage,
    apiKeys: repositories.apiKeys,
    onDropped: (records, reason) => emit('usage.dropped', records, reason),
    onFault,
  })
  const apiKeys = createApiKeys(options.apiKeys ?? {}, {
    repository: repositories.apiKeys,
    invalidations: repositories.keyInvalidations,
    now,
    newId,
    onChanged: (change, key) => (change === 'created' ? emit('key.created', key) : emit('key.changed', key, change)),
    onFault,
    flushUses: recorder.flush,
  })
  const limits = createRequestLimits({
    limiter: repositories.rateLimiter,
    onStoreFailure,
    now,
    onAdmitted: (key, at) => recorder.countUse(key, at),
    onRefused: ({ requestId, caller }, _, state) => emit('limit.exceeded', { requestId, caller }, state),
    onFault,
  })
  const budgets = createTokenBudgets({
    repository: repositories.budgets,
    onStoreFailure,
    now,
    newId,
    onRefused: (key, window) => emit('budget.exceeded', key, window),
    onFault,
  })
  const upstreams = createUpstreams({
    providers,
    circuit: options.circuit ?? {},
    discovery: options.discovery ?? {},
    onCircuit: (id, state) => emit(`circuit.${state}`, { kind: 'provider', id }),
  })
  const models = createModels({ upstreams, aliases: options.models ?? {}, random })
  const book = createRequestBook({ recorder, emit, now, newId })
  const calls = createModelCalls({
    models,
    limits,
    budgets,
    book,
    totalSeconds: timeouts.totalSeconds,
    connectTimeoutMs: timeouts.connectSeconds * 1000,
    waitBeforeRetry: createRetries(options.retries ?? {}, random),
    onFailed: (attempt) => emit('provider.failed', attempt),
    onFault,
  })
  const search = createSearch(options.search ?? {}, {
    engines: searchEngines,
    limits,
    book,
    onCircuit: (id, state) => emit(`circuit.${state}`, { kind: 'search-engine', id }),
    onFault,
  })

  for (const recorder of [openTelemetryMetrics(), options.metrics]) if (recorder) recordMetrics(events, recorder)

  return {
    apiKeys,
    limits,
    budgets,
    models,
    chat: createChat(options.chat ?? {}, { calls, ...timeouts }),
    images: createImages(options.images ?? {}, { calls, models, store: options.imageStore, now, onFault }),
    search,
    usage: createUsageReports({ usage: repositories.usage, flush: recorder.flush }),
    health: createHealthCheck({
      version,
      apiKeys: repositories.apiKeys,
      limiter: repositories.rateLimiter,
      upstreams,
      searchEngines: () => search.engines,
      now,
    }),
    events,
    async close() {
      for (const { models } of upstreams.values()) models.close()
      await Promise.all(providers.map((provider) => provider.close?.()))
      await budgets.flush()
      await recorder.close()
      await apiKeys.close()
    },
  }
}

/** A host that fails to hear of a fault must not make it worse. */
const guarded =
  (onFault: GatewayOptions['onFault']) =>
  (error: unknown): void => {
    try {
      onFault?.(error)
    } catch {
      // Nobody is left to tell.
    }
  }

const DEFAULT_TIMEOUTS: Required<UpstreamTimeouts> = {
  connectSeconds: 10,
  firstByteSeconds: 300,
  idleSeconds: 120,
  totalSeconds: 600,
}
