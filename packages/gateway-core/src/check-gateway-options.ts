import type { ApiKeysOptions } from './api-keys/api-keys.ts'
import type { ChatOptions } from './chat/chat.ts'
import type { DrainOptions } from './chat/streams/drains.ts'
import { checkOptions, type OptionNames } from './check-options.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import type { EndpointsOptions } from './endpoints/endpoint-calls.ts'
import { type GatewayOptions, gatewayOptionNames } from './gateway-options.ts'
import type { HealthOptions } from './health/health.ts'
import type { ImagesOptions } from './images/images.ts'
import type { ModelRoute } from './models/model-route.ts'
import type { CircuitOptions } from './providers/circuit.ts'
import type { DiscoveryOptions } from './providers/discovered-models.ts'
import type { RetryOptions } from './providers/retries.ts'
import type { UpstreamTimeouts } from './providers/upstream-timeouts.ts'
import type { RealtimeOptions } from './realtime/realtime-options.ts'
import type { ResponsesOptions } from './responses/responses-options.ts'
import type { RetentionOptions } from './retention/retention.ts'
import type { ModelSearchOptions } from './search/model-search.ts'
import type { SearchOptions } from './search/search.ts'
import type { UsageRecorderOptions } from './usage/usage-recorder.ts'

const apiKeys: OptionNames<ApiKeysOptions> = { prefix: true, defaultRateLimit: true, maxKeys: true, cacheSeconds: true }

const chat: OptionNames<ChatOptions> = {
  onDisconnect: true,
  drain: true,
  keepAliveSeconds: true,
  maxEventBytes: true,
  defaultOutputTokens: true,
}

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

const usage: OptionNames<UsageRecorderOptions> = { capacity: true, batchSize: true, flushMs: true, retryMs: true }

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

const route: OptionNames<ModelRoute> = { targets: true, fallbacks: true }

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
  checkWithin('images', options.images, images)
  checkWithin('realtime', options.realtime, realtime)
  if (options.responses !== false) checkWithin('responses', options.responses, responses)
  checkWithin('endpoints', options.endpoints, endpointsOptions)
  checkWithin('endpoints.defaultModels', options.endpoints?.defaultModels, defaultModels)
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
  for (const [id, model] of Object.entries(options.models ?? {})) {
    if (typeof model !== 'string') checkWithin(`models.${id}`, model, route)
  }
}

function checkWithin<Options extends object>(
  path: string,
  options: Options | undefined,
  known: OptionNames<Options>,
): void {
  if (options !== undefined) checkOptions(`'${path}' of createGateway`, options, known)
}
