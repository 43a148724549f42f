import type { AnswerCacheOptions } from './answer-cache/answer-cache-options.ts'
import type { ApiKeysOptions } from './api-keys/api-keys.ts'
import type { BudgetsOptions } from './budgets/budgets.ts'
import type { ChatOptions } from './chat/chat.ts'
import type { DrainOptions } from './chat/streams/drains.ts'
import { checkOptions, type OptionNames } from './check-options.ts'
import { checkRange } from './check-range.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import type { EndpointsOptions } from './endpoints/endpoint-calls.ts'
import { type GatewayOptions, gatewayOptionNames } from './gateway-options.ts'
import type { HealthOptions } from './health/health.ts'
import type { ImagesOptions } from './images/images.ts'
import { failureKinds } from './models/failure-kind.ts'
import type { ModelFallback, ModelRoute, WeightedModel } from './models/model-route.ts'
import type { CircuitOptions } from './providers/circuit.ts'
import type { DiscoveryOptions } from './providers/discovered-models.ts'
import type { RetryOptions } from './providers/retries.ts'
import type { UpstreamTimeouts } from './providers/upstream-timeouts.ts'
import type { RealtimeOptions } from './realtime/realtime-options.ts'
import type { RequestLogOptions } from './request-log/request-log-options.ts'
import type { ResponsesOptions } from './responses/responses-options.ts'
import type { RetentionOptions } from './retention/retention.ts'
import type { ModelSearchOptions } from './search/model-search.ts'
import type { SearchOptions } from './search/search.ts'
import type { UpstreamRules } from './upstream-rules/upstream-rules.ts'
import type { UsageOptions } from './usage/usage-options.ts'

const apiKeys: OptionNames<ApiKeysOptions> = {
  prefix: true,
  defaultRateLimit: true,
  maxTeamKeys: true,
  maxKeys: true,
  cacheSeconds: true,
}

const chat: OptionNames<ChatOptions> = {
  onDisconnect: true,
  drain: true,
  keepAliveSeconds: true,
  maxEventBytes: true,
  defaultOutputTokens: true,
}

const budgets: OptionNames<BudgetsOptions> = { waitSeconds: true }

const drain: OptionNames<DrainOptions> = { maxStreams: true, maxBytes: true, maxSeconds: true }

const images: OptionNames<ImagesOptions> = { defaultModel: true, storeSeconds: true }

const realtime: OptionNames<RealtimeOptions> = {
  maxSessionSeconds: true,
  idleSeconds: true,
  maxSessionsPerCaller: true,
  maxBufferedBytes: true,
}

const responses: OptionNames<ResponsesOptions> = {
  retentionDays: true,
  maxStoredBytes: true,
  maxResponses: true,
  maxOwnerBytes: true,
  maxConversations: true,
  maxTurns: true,
  maxContextItems: true,
  maxContextBytes: true,
  maxBackground: true,
  maxBackgroundPerOwner: true,
  maxEventBytes: true,
  maxAllEventBytes: true,
}

const endpointsOptions: OptionNames<EndpointsOptions> = { defaultModels: true }

const defaultModels: OptionNames<Record<Endpoint, string>> = {
  embeddings: true,
  completions: true,
  moderations: true,
  speech: true,
  transcriptions: true,
  translations: true,
  'image-generations': true,
  'image-edits': true,
  'image-variations': true,
  rerank: true,
  files: true,
  batches: true,
}

const answerCache: OptionNames<AnswerCacheOptions> = {
  ttlSeconds: true,
  maxEntries: true,
  maxBytes: true,
  maxAnswerBytes: true,
  scope: true,
}

const requestLog: OptionNames<RequestLogOptions> = {
  content: true,
  days: true,
  sample: true,
  redact: true,
  redactExpressions: true,
  maxContentBytes: true,
  capacity: true,
}

const search: OptionNames<SearchOptions> = {
  cacheSeconds: true,
  cacheEntries: true,
  timeoutSeconds: true,
  circuit: true,
  byModels: true,
}

const byModels: OptionNames<ModelSearchOptions> = {
  maxRounds: true,
  maxSearches: true,
  maxResults: true,
  maxCharacters: true,
}

const usage: OptionNames<UsageOptions> = {
  capacity: true,
  batchSize: true,
  flushMs: true,
  retryMs: true,
  endUsers: true,
}

const retention: OptionNames<RetentionOptions> = { usageDays: true, endedKeyDays: true }

const health: OptionNames<HealthOptions> = { checks: true }

const timeouts: OptionNames<UpstreamTimeouts> = {
  connectSeconds: true,
  firstByteSeconds: true,
  idleSeconds: true,
  totalSeconds: true,
}

const retries: OptionNames<RetryOptions> = { retries: true, maxWaitSeconds: true, backoffMs: true }

const circuit: OptionNames<CircuitOptions> = { failures: true, coolDownSeconds: true }

const discovery: OptionNames<DiscoveryOptions> = { refreshSeconds: true, retrySeconds: true, timeoutSeconds: true }

const upstreamRules: OptionNames<UpstreamRules> = {
  models: true,
  timeouts: true,
  retries: true,
  parameters: true,
  forwardHeaders: true,
  maxParallelRequests: true,
  waitSeconds: true,
}

/**
 * Checks that each option of a gateway exists, also those within others.
 *
 * @throws TypeError if one does not exist, or is not an object where it has options
 */
export function checkGatewayOptions(options: GatewayOptions): void {
  checkOptions('createGateway', options, gatewayOptionNames)
  checkWithin('apiKeys', options.apiKeys, apiKeys)
  checkWithin('chat', options.chat, chat)
  checkWithin('chat.drain', options.chat?.drain, drain)
  checkWithin('budgets', options.budgets, budgets)
  checkWithin('images', options.images, images)
  checkWithin('realtime', options.realtime, realtime)
  if (options.responses !== false) checkWithin('responses', options.responses, responses)
  checkWithin('endpoints', options.endpoints, endpointsOptions)
  checkWithin('endpoints.defaultModels', options.endpoints?.defaultModels, defaultModels)
  checkWithin('answerCache', options.answerCache, answerCache)
  checkWithin('requestLog', options.requestLog, requestLog)
  checkWithin('search', options.search, search)
  checkWithin('search.circuit', options.search?.circuit, circuit)
  if (options.search?.byModels !== false) checkWithin('search.byModels', options.search?.byModels, byModels)
  checkWithin('usage', options.usage, usage)
  checkWithin('retention', options.retention, retention)
  checkWithin('health', options.health, health)
  checkWithin('timeouts', options.timeouts, timeouts)
  checkWithin('retries', options.retries, retries)
  checkWithin('circuit', options.circuit, circuit)
  checkWithin('discovery', options.discovery, discovery)
  for (const [name, rules] of Object.entries(options.upstreams ?? {})) {
    checkWithin(`upstreams.${name}`, rules, upstreamRules)
    checkWithin(`upstreams.${name}.timeouts`, rules.timeouts, timeouts)
    checkWithin(`upstreams.${name}.retries`, rules.retries, retries)
  }
  for (const [id, model] of Object.entries(options.models ?? {})) {
    if (typeof model !== 'string') checkRoute(id, model)
  }
}

const route: OptionNames<ModelRoute> = { targets: true, pick: true, fallbacks: true }
const target: OptionNames<WeightedModel> = { model: true, weight: true, priority: true }
const fallback: OptionNames<ModelFallback> = { model: true, on: true }
const picks: ReadonlySet<unknown> = new Set(['weight', 'latency', 'cost'])
const kinds: ReadonlySet<unknown> = new Set(failureKinds)
const MOST_WEIGHT = 1_000_000
const MOST_PRIORITY = 1_000

function checkRoute(id: string, checked: ModelRoute): void {
  const path = `models.${id}`
  checkWithin(path, checked, route)
  const { targets, pick = 'weight', fallbacks = [] } = checked
  if (!Array.isArray(targets) || targets.length === 0) throw new TypeError(`'${path}.targets' needs a target.`)
  if (!picks.has(pick)) throw new TypeError(`'${path}.pick' must be 'weight', 'latency' or 'cost'.`)
  for (const [index, each] of checked.targets.entries()) {
    checkWithin(`${path}.targets[${index}]`, each, target)
    checkRange({ [`${path}.targets[${index}].weight`]: each.weight ?? 1 }, 0, MOST_WEIGHT)
    checkRange({ [`${path}.targets[${index}].priority`]: each.priority ?? 0 }, 0, MOST_PRIORITY)
  }
  for (const [index, each] of fallbacks.entries()) {
    if (typeof each === 'string') continue
    checkWithin(`${path}.fallbacks[${index}]`, each, fallback)
    if (each.on && !each.on.every((kind) => kinds.has(kind))) {
      throw new TypeError(`'${path}.fallbacks[${index}].on' may have ${failureKinds.join(', ')}.`)
    }
  }
}

function checkWithin<Options extends object>(
  path: string,
  options: Options | undefined,
  known: OptionNames<Options>,
): void {
  if (options !== undefined) checkOptions(`'${path}' of createGateway`, options, known)
}
