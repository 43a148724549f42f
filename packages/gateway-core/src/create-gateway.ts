import type { EventEmitter } from 'eventemitter3'
import { type ApiKeys, createApiKeys } from './api-keys/api-keys.ts'
import { createTokenBudgets, type TokenBudgets } from './budgets/token-budgets.ts'
import { type Chat, createChat } from './chat/chat.ts'
import { createEvents } from './events/create-events.ts'
import type { GatewayEvents } from './events/gateway-events.ts'
import { createFaultReporter } from './fault-reporter.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { createHealthCheck, type Health } from './health/health.ts'
import { createImages, type Images } from './images/images.ts'
import { createLifetime, endEach, type Lifetime } from './lifetime.ts'
import { openTelemetryMetrics } from './metrics/open-telemetry-metrics.ts'
import { recordMetrics } from './metrics/record-metrics.ts'
import { createModelCalls } from './models/model-calls.ts'
import { createModels, type Models } from './models/models.ts'
import { createRetries } from './providers/retries.ts'
import { createUpstreams } from './providers/upstream.ts'
import type { UpstreamTimeouts } from './providers/upstream-timeouts.ts'
import { createRequestLimits, type RequestLimits } from './rate-limits/request-limits.ts'
import { createRemovalClock } from './retention/removal-clock.ts'
import { createRetention } from './retention/retention.ts'
import { createSearch, type Search } from './search/search.ts'
import { markStoreFailures } from './store-failure.ts'
import { createRequestAccounts } from './usage/request-accounts.ts'
import { createUsageRecorder } from './usage/usage-recorder.ts'
import { createUsageReports, type UsageReports } from './usage/usage-reports.ts'
import { VERSION } from './version.ts'

/** The gateway services of one process. Several processes may share the repositories. */
export interface Gateway {
  readonly apiKeys: ApiKeys
  readonly limits: RequestLimits
  readonly budgets: TokenBudgets
  readonly models: Models
  readonly chat: Chat
  readonly images: Images
  readonly search: Search
  readonly usage: UsageReports
  /**
   * Writes to the stores of keys and rate limits, runs the host's own checks, and reads the circuits of providers and
   * search engines. Calls no upstream. A check may take 2 seconds. Never rejects. A report is reused for 1 second.
   */
  readonly health: () => Promise<Health>
  /** Emits synchronously. Errors of listeners are reported to `onFault`. */
  readonly events: EventEmitter<GatewayEvents>
  /** Reports a fault to `GatewayOptions.onFault`. Never throws. */
  readonly onFault: (error: unknown) => void
  /**
   * Subscribes to keys that other replicas change, and starts the retention. If the host does not call it, the first key
   * that is looked up in the store does, without waiting. Models are loaded with the first request that needs them. Later
   * calls return the same promise. A failed start is repeated by the next call.
   *
   * @throws (rejects) where the subscription fails, and after `close`
   */
  start(): Promise<void>
  /**
   * Closes the providers, which ends the answers that still run, and writes all buffered records. Later calls return the
   * same promise. Stop the transports first: from now on `start` rejects, and new calls may fail.
   */
  close(): Promise<void>
  /** Whether `close` was called. Then every request is answered with 503. */
  readonly isClosed: boolean
}

/**
 * Creates the services of a gateway. Upstreams are first called with the first request that needs them.
 *
 * @throws RangeError for a number of `retention` that is out of its range
 * @throws TypeError for an id of a provider that is malformed, an id of a provider or search engine that occurs twice,
 *   and a model in `models` whose provider does not exist
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
  const { providers, searchEngines = [], onStoreFailure = 'refuse', version = VERSION } = options
  const { now = () => new Date(), newId = () => crypto.randomUUID(), random = Math.random } = options
  const onFault = createFaultReporter(options.onFault)
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const repositories = markStoreFailures(options.repositories)
  const { imageStore } = markStoreFailures({ imageStore: options.imageStore })
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
    start: () => lifetime.start(),
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
    onCircuit: (id, state, model) =>
      emit(`circuit.${state}`, { kind: 'provider', id, ...(model === undefined ? {} : { model }) }),
  })
  const models = createModels({ upstreams, aliases: options.models ?? {}, random })
  const accounts = createRequestAccounts({ recorder, emit, now, newId })
  const calls = createModelCalls({
    models,
    limits,
    budgets,
    accounts,
    totalSeconds: timeouts.totalSeconds,
    connectTimeoutMs: timeouts.connectSeconds * 1000,
    waitBeforeRetry: createRetries(options.retries ?? {}, random),
    onFailed: (attempt) => emit('provider.failed', attempt),
    onFault,
  })
  const search = createSearch(options.search ?? {}, {
    engines: searchEngines,
    limits,
    accounts,
    onCircuit: (id, state) => emit(`circuit.${state}`, { kind: 'search-engine', id }),
    onFault,
  })

  const clock = createRemovalClock({
    usage: repositories.usage,
    now,
    onWaiting: (newestUsage) => emit('retention.waiting', newestUsage),
  })
  const retention = createRetention(options.retention ?? {}, {
    usage: repositories.usage,
    apiKeys: repositories.apiKeys,
    images: imageStore,
    now,
    clock,
    onRemoved: (kind, count) => emit('retention.removed', kind, count),
    onFault,
  })

  const lifetime: Lifetime<void> = createLifetime({
    name: 'gateway',
    start: async () => {
      await apiKeys.listen()
      retention.start()
    },
    close: apiKeys.close,
    onFault,
  })
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    // Not awaited yet: it waits for a running start, which must not delay the writes.
    const ended = lifetime.close()
    for (const { models } of upstreams.values()) models.close()
    await Promise.all(providers.map((provider) => endEach(onFault, () => provider.close?.())))
    await endEach(onFault, retention.close, budgets.flush, recorder.close)
    await ended
  }

  for (const recorder of [openTelemetryMetrics(), options.metrics]) if (recorder) recordMetrics(events, recorder)

  return {
    apiKeys,
    limits,
    budgets,
    models,
    chat: createChat(options.chat ?? {}, { calls, ...timeouts }),
    images: createImages(options.images ?? {}, { calls, models, store: imageStore, now, clock, onFault }),
    search,
    usage: createUsageReports({ usage: repositories.usage, flush: recorder.flush }),
    health: createHealthCheck(options.health ?? {}, {
      version,
      apiKeys: repositories.apiKeys,
      limiter: repositories.rateLimiter,
      upstreams,
      searchEngines: () => search.engines,
      now,
    }),
    events,
    onFault,
    start: lifetime.start,
    close() {
      closing ??= close()
      return closing
    },
    get isClosed() {
      return closing !== undefined
    },
  }
}

const defaultTimeouts: Required<UpstreamTimeouts> = {
  connectSeconds: 10,
  firstByteSeconds: 300,
  idleSeconds: 120,
  totalSeconds: 600,
}
