import type { EventEmitter } from 'eventemitter3'
import { type CachedAnswersControl, createAnswerCaching } from './answer-cache/create-answer-cache.ts'
import { apiKeyArguments } from './api-keys/api-key-arguments.ts'
import { type ApiKeys, createApiKeys } from './api-keys/api-keys.ts'
import { type Budgets, createBudgets } from './budgets/budgets.ts'
import { createRecovery, type Recovery } from './budgets/recovery.ts'
import { type Chat, createChat } from './chat/chat.ts'
import { checkChatArguments } from './chat/chat-arguments.ts'
import { createDrains } from './chat/streams/drains.ts'
import { checkArguments } from './check-arguments.ts'
import { checkGatewayOptions } from './check-gateway-options.ts'
import { checkRange, MAX_TIMER_SECONDS } from './check-range.ts'
import { createStore } from './create-store.ts'
import { answeringParts } from './dialects/answering/answering-parts.ts'
import { checkMessageArguments } from './dialects/messages/message-arguments.ts'
import { createMessages, type Messages } from './dialects/messages/messages.ts'
import { createResponses } from './dialects/responses/responses.ts'
import { createEndpointCalls } from './endpoints/create-endpoint-calls.ts'
import { endpointArguments } from './endpoints/endpoint-arguments.ts'
import type { EndpointCalls } from './endpoints/endpoint-calls.ts'
import { createEvents } from './events/create-events.ts'
import type { GatewayEvents } from './events/gateway-events.ts'
import { createFaultReporter } from './fault-reporter.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { groupArguments } from './groups/group-arguments.ts'
import { createGroups, type Groups } from './groups/groups.ts'
import { createGuarding } from './guardrails/create-guarding.ts'
import { createHealthCheck, type Health } from './health/health.ts'
import { imageArguments } from './images/image-arguments.ts'
import { createImages, type Images } from './images/images.ts'
import { createLifetime, endEach, type Lifetime } from './lifetime.ts'
import { memoryAnswerCache } from './memory/memory-answer-cache.ts'
import { memoryRequestLog } from './memory/memory-request-log.ts'
import { openTelemetryMetrics } from './metrics/open-telemetry-metrics.ts'
import { recordMetrics } from './metrics/record-metrics.ts'
import { Latencies } from './models/latencies.ts'
import { modelArguments } from './models/model-arguments.ts'
import { createModelCalls } from './models/model-calls.ts'
import { factsFor } from './models/model-facts.ts'
import { createModels, type Models } from './models/models.ts'
import { costBounds } from './models/most-use.ts'
import { createTargetOrder } from './models/target-order.ts'
import { createPrices } from './prices/create-prices.ts'
import { createUpstreams } from './providers/upstream.ts'
import type { UpstreamTimeouts } from './providers/upstream-timeouts.ts'
import { createRequestLimits, type RequestLimits } from './rate-limits/request-limits.ts'
import { type ClientSecrets, createClientSecrets } from './realtime/client-secrets.ts'
import { createRealtime, type Realtime } from './realtime/realtime.ts'
import { realtimeArguments } from './realtime/realtime-arguments.ts'
import { type ContentCapture, createRequestLogging } from './request-log/create-request-logging.ts'
import { createRequestLog, type RequestLog } from './request-log/request-log.ts'
import { requestLogArguments } from './request-log/request-log-arguments.ts'
import type { Conversations } from './responses/conversations.ts'
import {
  checkResponseArguments,
  conversationArguments,
  storedResponseArguments,
} from './responses/response-arguments.ts'
import { createResponseServices } from './responses/response-services.ts'
import type { Responses } from './responses/responses.ts'
import type { StoredResponses } from './responses/stored-responses.ts'
import { createRemovalClock } from './retention/removal-clock.ts'
import { createRetention } from './retention/retention.ts'
import { createSearch, type Search } from './search/search.ts'
import { searchArguments } from './search/search-arguments.ts'
import { createStoreCheck, markStoreFailures, StoreFailure } from './store-failure.ts'
import { compileUpstreamRules } from './upstream-rules/compile-upstream-rules.ts'
import { createRequestAccounts } from './usage/request-accounts.ts'
import { usageArguments } from './usage/usage-arguments.ts'
import { createUsageRecorder } from './usage/usage-recorder.ts'
import { createUsageReports, type UsageReports } from './usage/usage-reports.ts'
import { VERSION } from './version.ts'

/**
 * The gateway services of one process. Several processes may share the repositories.
 *
 * Methods check what they get before anything is read or changed, with the bounds of the HTTP interface. A wrong argument
 * is a fault of the host: the method throws immediately, also one that otherwise returns a promise or a `ResultAsync`. It
 * throws a `TypeError` for a value of another type and a `RangeError` for one out of its bounds, with the name of the field.
 */
export interface Gateway {
  readonly apiKeys: ApiKeys
  /** Teams and users, whose limits and rules their keys have together. */
  readonly groups: Groups
  readonly limits: RequestLimits
  readonly budgets: Budgets & Pick<Recovery, 'recover'>
  readonly models: Models
  readonly chat: Chat
  readonly responses: Responses
  readonly storedResponses: StoredResponses
  readonly conversations: Conversations
  readonly messages: Messages
  readonly images: Images
  readonly endpoints: EndpointCalls
  readonly answerCache: CachedAnswersControl
  readonly search: Search
  readonly usage: UsageReports
  readonly requestLog: RequestLog
  readonly realtime: Pick<Realtime, 'open' | 'check'>
  /** Creates and checks the secrets with which pages open realtime sessions. */
  readonly clientSecrets: ClientSecrets
  /**
   * Writes to the stores of keys and rate limits, runs the host's own checks, and reads the circuits of providers and
   * search engines. Calls no upstream. A check may take 2 seconds. Never rejects. A report is reused for 1 second.
   */
  readonly health: () => Promise<Health>
  /** Emits synchronously. Errors of listeners are reported to `onFault`. */
  readonly events: EventEmitter<GatewayEvents>
  /** Reports a fault to `GatewayOptions.onFault`. Never throws. */
  readonly onFault: (error: unknown, operation?: string) => void
  /**
   * Opens the `database`, subscribes to keys that other replicas change, and starts the retention. If the host does
   * not call it, the first key that is looked up in the store does, without waiting. Models are loaded with the first
   * request that needs them. Later calls return the same promise. A failed start is repeated by the next call.
   *
   * @throws (rejects) where the subscription fails, and after `close`
   */
  start(): Promise<void>
  /**
   * Prepares the end of a gateway that another one over the same repositories replaces: ends the removal of old records
   * and the recovery, and resolves once no response runs in the background. Requests are still answered. Call it again and
   * then `close` when the last of them has ended. Never rejects.
   */
  retire(): Promise<void>
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
 * @throws RangeError for a number that is out of its range
 * @throws TypeError for an option that does not exist, an id of a provider that is malformed, an id of a provider or search engine that occurs twice,
 *   and a model in `models` whose provider does not exist
 *
 * @example
 * ```ts
 * import { createGateway } from '@trivium/gateway-core'
 * import { localProvider } from '@trivium/local-provider'
 *
 * const gateway = createGateway({ providers: [localProvider()] })
 * const issued = await gateway.apiKeys.generate({ username: 'me' })
 * ```
 */
export function createGateway(options: GatewayOptions): Gateway {
  checkGatewayOptions(options)
  const { providers, searchEngines = [], onStoreFailure = 'refuse', version = VERSION, showCost = true } = options
  if (!Array.isArray(providers)) throw new TypeError("'providers' must be a list of providers.")
  const { now = () => new Date(), newId = () => crypto.randomUUID(), random = Math.random } = options
  const onFault = createFaultReporter(options.onFault)
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  checkRange({ ...timeouts }, 0.001, MAX_TIMER_SECONDS)
  const prices = createPrices({ ...options, providers: providers.map(({ id }) => id) })
  const store = createStore(options)
  const checkStore = createStoreCheck(store.repositories)
  let isStarted = false
  /** Returns what is missing in the store where the host has not called `start`. */
  const explainFailure = async (): Promise<StoreFailure | undefined> => {
    if (isStarted) return undefined
    const error: unknown = await checkStore().catch((failure: unknown) => failure)
    return StoreFailure.is(error) && error.cause === undefined ? error : undefined
  }
  const repositories = markStoreFailures(store.repositories, explainFailure)
  const { imageStore } = markStoreFailures({ imageStore: options.imageStore })
  const { events, emit } = createEvents(onFault)

  const recorder = createUsageRecorder(options.usage ?? {}, {
    usage: repositories.usage,
    apiKeys: repositories.apiKeys,
    onWritten: (records) => budgets.written(records),
    onDropped: (records, reason) => emit('usage.dropped', records, reason),
    onFault,
  })
  const apiKeys = createApiKeys(options.apiKeys ?? {}, {
    repository: repositories.apiKeys,
    groups: repositories.groups,
    invalidations: repositories.keyInvalidations,
    now,
    newId,
    onChanged: (change, key) => (change === 'created' ? emit('key.created', key) : emit('key.changed', key, change)),
    onForgotten: (id) => realtime.checkKeys(id),
    onFault,
    flushUses: recorder.flush,
    start: () => lifetime.start(),
  })
  const groups = createGroups({
    repository: repositories.groups,
    apiKeys: repositories.apiKeys,
    publish: apiKeys.publishGroups,
    now,
    newId,
  })
  const limits = createRequestLimits({
    limiter: repositories.rateLimiter,
    onStoreFailure,
    now,
    onAdmitted: ({ caller }, at) => {
      if (caller.type === 'key') recorder.countUse(caller.key, at)
    },
    onRefused: ({ requestId, caller }, state) => emit('limit.exceeded', { requestId, caller }, state),
    onFault,
  })
  const budgets = createBudgets(options.budgets ?? {}, {
    repository: repositories.budgets,
    onStoreFailure,
    now,
    newId,
    record: recorder.record,
    onRefused: ({ call: { requestId, caller } }, error) => emit('budget.exceeded', { requestId, caller }, error),
    onFault,
  })
  const recovery = createRecovery({
    budgets: repositories.budgets,
    usage: repositories.usage,
    now,
    onRecovered: (requests) => emit('budget.recovered', requests),
    onFault,
  })
  const rules = compileUpstreamRules({
    upstreams: options.upstreams ?? {},
    providers: new Set(providers.map(({ id }) => id)),
    timeouts,
    retries: options.retries ?? {},
    forwardHeaders: options.forwardHeaders ?? [],
    random,
  })
  const { forwardHeaders } = rules
  const latencies = new Latencies()
  const upstreams = createUpstreams({
    providers,
    rules,
    circuit: options.circuit ?? {},
    discovery: options.discovery ?? {},
    onCircuit: (id, state, model) =>
      emit(`circuit.${state}`, { kind: 'provider', id, ...(model === undefined ? {} : { model }) }),
  })
  const models = createModels({
    upstreams,
    aliases: options.models ?? {},
    facts: options.modelFacts ?? {},
    knownFacts: prices.factsOf,
    orderOf: createTargetOrder({ latencies, costOf: prices.typicalCostOf, random }),
  })
  const requestLogRepository = repositories.requestLog ?? memoryRequestLog()
  const logging = createRequestLogging(options.requestLog, {
    repository: requestLogRepository,
    random,
    onDropped: (count, reason) => emit('request-log.dropped', count, reason),
    onFault,
  })
  const accounts = createRequestAccounts({ recorder, emit, now, newId, log: logging.writer })
  const drains = createDrains(options.chat?.drain)
  const calls = createModelCalls({
    models,
    limits,
    budgets,
    costs: costBounds(prices, (id) => factsFor(options.modelFacts ?? {}, id)),
    accounts,
    prices,
    showCost,
    endUsers: options.usage?.endUsers ?? false,
    totalSeconds: timeouts.totalSeconds,
    drains,
    latencies,
    onFailed: (attempt) => emit('provider.failed', attempt),
    onFault,
  })
  const { search, modelSearch } = createSearch(options.search ?? {}, {
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
  const caching = createAnswerCaching(options.answerCache, {
    cache: repositories.answerCache ?? memoryAnswerCache(),
    now,
    onFault,
  })
  const retention = createRetention(options.retention ?? {}, {
    usage: repositories.usage,
    apiKeys: repositories.apiKeys,
    images: imageStore,
    responses: repositories.responses,
    conversations: repositories.conversations,
    answers: caching.removeExpired,
    requestLog: { days: logging.days, removeBefore: requestLogRepository.removeBefore },
    now,
    clock,
    onRemoved: (kind, count) => emit('retention.removed', kind, count),
    onFault,
  })

  const lifetime: Lifetime<void> = createLifetime({
    name: 'gateway',
    start: async () => {
      await store.open()
      await checkStore()
      isStarted = true
      await apiKeys.listen()
      retention.start()
      recovery.start()
    },
    close: apiKeys.close,
    onFault,
  })
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    // Not awaited yet: it waits for a running start, which must not delay the writes.
    const ended = lifetime.close()
    drains.close()
    await endEach(onFault, responses.close)
    for (const { models } of upstreams.values()) models.close()
    realtime.close()
    await Promise.all(providers.map((provider) => endEach(onFault, () => provider.close?.())))
    await endEach(onFault, retention.close, recovery.close, caching.close, budgets.flush, recorder.close)
    await endEach(onFault, async () => logging.writer?.close())
    budgets.close()
    await ended
    await endEach(onFault, store.close)
  }

  for (const recorder of [openTelemetryMetrics(), options.metrics])
    if (recorder) recordMetrics(events, recorder, onFault)

  const guarding = createGuarding(
    { guardrails: options.guardrails ?? [], uncheckedRequests: options.uncheckedRequests ?? 'refuse' },
    { calls, limits, accounts, emit, onFault, endpoints: () => endpointCalls },
  )
  const cacheUses = caching.uses({ calls, accounts, forwardHeaders, showCost })
  const answering = answeringParts(options.chat ?? {}, {
    calls,
    firstByteSeconds: timeouts.firstByteSeconds,
    now,
    newId,
    modelSearch,
    layers: [cacheUses?.answering, logging.content?.prompts, guarding.answering, logging.content?.answers].filter(
      (layer) => layer !== undefined,
    ),
    drains,
    onFault,
  })
  const chat = createChat(answering)
  const { keepAliveSeconds = 15, maxEventBytes = 2 ** 24 } = options.chat ?? {}
  const responses = createResponseServices(options.responses ?? {}, {
    repositories,
    answering: guarding.stateless(createResponses(answering)),
    calls,
    keepAliveSeconds,
    now,
    onAdmitted: (requestId, listener) => onStarted(events, requestId, listener),
    onFault,
  })
  const images = createImages(options.images ?? {}, { calls, models, store: imageStore, now, clock, onFault })
  const realtime = createRealtime(options.realtime ?? {}, {
    calls,
    models,
    keys: { check: apiKeys.check, onFault },
    budgets,
    firstByteSeconds: timeouts.firstByteSeconds,
  })
  const endpointCalls = createEndpointCalls(options.endpoints ?? {}, {
    calls,
    models,
    upstreams,
    firstByteSeconds: timeouts.firstByteSeconds,
    keepAliveSeconds,
    maxEventBytes,
    drains,
  })
  const requestLog = createRequestLog({
    repository: requestLogRepository,
    isOn: logging.writer !== undefined,
    flush: async () => logging.writer?.flush(),
    refused: accounts.refused,
  })
  const { content = unlogged } = logging
  const usage = createUsageReports({
    usage: repositories.usage,
    apiKeys: repositories.apiKeys,
    groups: repositories.groups,
    flush: async () => {
      await budgets.flush()
      await recorder.flush()
    },
  })
  return {
    apiKeys: checkArguments<ApiKeys>(apiKeys, apiKeyArguments),
    groups: checkArguments(groups, groupArguments),
    limits,
    budgets: {
      reserve: budgets.reserve,
      inspect: budgets.inspect,
      flush: budgets.flush,
      recover: recovery.recover,
    },
    models: checkArguments(models, modelArguments),
    chat: checkChatArguments(chat),
    responses: checkResponseArguments(guarding.responses(responses.responses)),
    storedResponses: checkArguments(responses.storedResponses, storedResponseArguments),
    conversations: checkArguments(responses.conversations, conversationArguments),
    messages: checkMessageArguments(guarding.messages(createMessages(answering))),
    images: checkArguments(guarding.images(content.images(images)), imageArguments),
    endpoints: checkArguments(
      content.completions(guarding.endpoints(content.endpoints(cacheUses?.embeddings(endpointCalls) ?? endpointCalls))),
      endpointArguments,
    ),
    answerCache: caching.control,
    search: checkArguments(guarding.search(search), searchArguments),
    usage: checkArguments(usage, usageArguments),
    requestLog: checkArguments(requestLog, requestLogArguments),
    realtime: checkArguments<Pick<Realtime, 'open' | 'check'>>(guarding.realtime(realtime), realtimeArguments),
    clientSecrets: createClientSecrets(apiKeys, now),
    health: createHealthCheck(options.health ?? {}, {
      version,
      apiKeys: repositories.apiKeys,
      limiter: repositories.rateLimiter,
      upstreams,
      searchEngines: () => search.engines,
      now,
      // Probes may be the only requests that an unprepared store gets. Other failures would fill the log.
      onStoreFailure: (error) => StoreFailure.is(error) && error.cause === undefined && onFault(error),
    }),
    events,
    onFault,
    start: lifetime.start,
    retire: () => endEach(onFault, retention.close, recovery.close, responses.idle),
    close() {
      closing ??= close()
      return closing
    },
    get isClosed() {
      return closing !== undefined
    },
  }
}

const unlogged: Pick<ContentCapture, 'endpoints' | 'completions' | 'images'> = {
  endpoints: (service) => service,
  completions: (service) => service,
  images: (images) => images,
}

const defaultTimeouts: Required<UpstreamTimeouts> = {
  connectSeconds: 10,
  firstByteSeconds: 300,
  idleSeconds: 120,
  totalSeconds: 600,
}

/** Calls `listener` when a request is admitted. @returns the end of the subscription */
function onStarted(events: EventEmitter<GatewayEvents>, requestId: string, listener: () => void): () => void {
  const onEach = (started: { readonly requestId: string }) => {
    if (started.requestId === requestId) listener()
  }
  events.on('request.started', onEach)
  return () => events.off('request.started', onEach)
}
