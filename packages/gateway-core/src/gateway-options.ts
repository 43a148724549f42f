import type { ApiKeysOptions } from './api-keys/api-keys.ts'
import type { ChatOptions } from './chat/chat.ts'
import type { OptionNames } from './check-options.ts'
import type { StoreOptions } from './create-store.ts'
import type { EndpointsOptions } from './endpoints/endpoint-calls.ts'
import type { HealthOptions } from './health/health.ts'
import type { ImageStore } from './images/image-store.ts'
import type { ImagesOptions } from './images/images.ts'
import type { MetricsRecorder } from './metrics/metrics-recorder.ts'
import type { FactsByModel } from './models/model-facts.ts'
import type { ModelRoute } from './models/model-route.ts'
import type { CircuitOptions } from './providers/circuit.ts'
import type { DiscoveryOptions } from './providers/discovered-models.ts'
import type { Provider } from './providers/provider.ts'
import type { RetryOptions } from './providers/retries.ts'
import type { UpstreamTimeouts } from './providers/upstream-timeouts.ts'
import type { RealtimeOptions } from './realtime/realtime-options.ts'
import type { ResponsesOptions } from './responses/responses-options.ts'
import type { RetentionOptions } from './retention/retention.ts'
import type { SearchOptions } from './search/search.ts'
import type { SearchEngine } from './search/search-engine.ts'
import type { UsageRecorderOptions } from './usage/usage-recorder.ts'

/** Options of a gateway. Only `providers` is required. Without a store, the state is in the memory of this process. */
export interface GatewayOptions extends StoreOptions {
  /** The upstreams. Their ids are unique and begin the ids of their models. */
  readonly providers: readonly Provider[]
  /** The first one is the default engine. @default none */
  readonly searchEngines?: readonly SearchEngine[]
  /** Stores images for answers with URLs. @default none: images are returned inline only */
  readonly imageStore?: ImageStore
  /**
   * Additional models by their ids: an alias for `provider/model`, or a route with weights and fallbacks. They hide
   * models with the same id, and may lead to each other.
   *
   * @default none
   */
  readonly models?: Readonly<Record<string, string | ModelRoute>>
  /**
   * Facts of models for their list, by `provider/model` or alias: context length, modalities, prices. A `*` at the
   * end of a name matches any rest. They replace those that upstreams list.
   *
   * @default none
   */
  readonly modelFacts?: FactsByModel
  /** The prefix of secrets, the default rate limit, and the cache of keys in each process. */
  readonly apiKeys?: ApiKeysOptions
  /** What happens when a client of chat completions, responses or messages disconnects, and limits of streams. */
  readonly chat?: ChatOptions
  /**
   * Names of clients' headers that upstreams of chat completions, responses and messages get, such as
   * `openai-organization`. Upstreams of messages always get `anthropic-version` and `anthropic-beta`.
   *
   * @default none
   */
  readonly forwardHeaders?: readonly string[]
  /** The default image model, and how long images are stored. */
  readonly images?: ImagesOptions
  /** How long realtime sessions last, and how many a caller may have. */
  readonly realtime?: RealtimeOptions
  /**
   * How responses and conversations are kept. `false`: they are not stored, and `previous_response_id`, `conversation` and
   * `background` are refused.
   */
  readonly responses?: ResponsesOptions | false
  /** The default models of endpoints such as moderations. */
  readonly endpoints?: EndpointsOptions
  /** The cache, the timeout and the circuits of searches. */
  readonly search?: SearchOptions
  /** How many usage records may wait, and how they are batched. */
  readonly usage?: UsageRecorderOptions
  /** How long usage and ended keys are kept. @default 400 days each */
  readonly retention?: RetentionOptions
  /** The host's own checks. @default none */
  readonly health?: HealthOptions
  /** Timeouts of chats and images. Searches have `search.timeoutSeconds`. */
  readonly timeouts?: UpstreamTimeouts
  /** How often the same upstream is called again before the next one is tried. */
  readonly retries?: RetryOptions
  /** When a provider or one of its models is no longer called. Search engines have `search.circuit`. */
  readonly circuit?: CircuitOptions
  /** How often the lists of the providers' models are loaded, and with which timeout. */
  readonly discovery?: DiscoveryOptions
  /** Whether requests are admitted when the store of rate limits or of budgets fails. @default 'refuse': with a 503 */
  readonly onStoreFailure?: 'refuse' | 'admit'
  /** Records metrics in addition to OpenTelemetry. @default none */
  readonly metrics?: MetricsRecorder
  /**
   * Receives every fault that no caller gets: of background work, of listeners that throw, and of requests to routes
   * without an `onFault` of their own, with the id of the operation.
   *
   * @default console.error: of equal faults of an operation one in 10 seconds, with the number of those left out
   */
  readonly onFault?: (error: unknown, operation?: string) => void
  /** The version that `/health` reports. @default the version of this package */
  readonly version?: string
  /**
   * The clock of keys, limits, records and retention. Timeouts, caches and circuits do not use it.
   *
   * @default the system's clock
   */
  readonly now?: () => Date
  /**
   * Creates the ids of keys and reservations, and the beginning of the ids of usage records. No two replicas may create
   * the same id.
   *
   * @default crypto.randomUUID
   */
  readonly newId?: () => string
  /** Returns a number from 0 to below 1, to select weighted models and to spread retries. @default Math.random */
  readonly random?: () => number
}

/** The names of the options, for hosts in plain JavaScript. */
export const gatewayOptionNames: OptionNames<GatewayOptions> = {
  repositories: true,
  database: true,
  providers: true,
  searchEngines: true,
  imageStore: true,
  models: true,
  modelFacts: true,
  apiKeys: true,
  chat: true,
  forwardHeaders: true,
  images: true,
  realtime: true,
  responses: true,
  endpoints: true,
  search: true,
  usage: true,
  retention: true,
  health: true,
  timeouts: true,
  retries: true,
  circuit: true,
  discovery: true,
  onStoreFailure: true,
  metrics: true,
  onFault: true,
  version: true,
  now: true,
  newId: true,
  random: true,
}
