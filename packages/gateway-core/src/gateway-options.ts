import type { AnswerCacheOptions } from './answer-cache/answer-cache-options.ts'
import type { ApiKeysOptions } from './api-keys/api-keys.ts'
import type { BudgetsOptions } from './budgets/budgets.ts'
import type { ChatOptions } from './chat/chat.ts'
import type { OptionNames } from './check-options.ts'
import type { StoreOptions } from './create-store.ts'
import type { EndpointsOptions } from './endpoints/endpoint-calls.ts'
import type { Guardrail } from './guardrails/guardrail.ts'
import type { HealthOptions } from './health/health.ts'
import type { ImageStore } from './images/image-store.ts'
import type { ImagesOptions } from './images/images.ts'
import type { MetricsRecorder } from './metrics/metrics-recorder.ts'
import type { FactsByModel } from './models/model-facts.ts'
import type { ModelRoute } from './models/model-route.ts'
import type { PriceByModel } from './prices/price.ts'
import type { CircuitOptions } from './providers/circuit.ts'
import type { DiscoveryOptions } from './providers/discovered-models.ts'
import type { Provider } from './providers/provider.ts'
import type { RetryOptions } from './providers/retries.ts'
import type { UpstreamTimeouts } from './providers/upstream-timeouts.ts'
import type { RealtimeOptions } from './realtime/realtime-options.ts'
import type { RequestLogOptions } from './request-log/request-log-options.ts'
import type { ResponsesOptions } from './responses/responses-options.ts'
import type { RetentionOptions } from './retention/retention.ts'
import type { SearchOptions } from './search/search.ts'
import type { SearchEngine } from './search/search-engine.ts'
import type { UpstreamRulesByName } from './upstream-rules/upstream-rules.ts'
import type { UsageOptions } from './usage/usage-options.ts'

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
   * models with the same id, and may lead to each other. A star in an id stands for any characters, and a star in the models
   * of such a route for the same ones: `gpt-*` for `openai/gpt-*`. The longest id that matches counts.
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
  /** Whether requests wait for others of their key, team or user. */
  readonly budgets?: BudgetsOptions
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
  /**
   * Stores answers, and answers equal requests with them. An object without members has the defaults.
   *
   * @default none: each request goes to an upstream
   */
  readonly answerCache?: AnswerCacheOptions
  /**
   * Checks of the texts of requests and answers, in their order. An answer of the cache is checked each time.
   *
   * @default none
   */
  readonly guardrails?: readonly Guardrail[]
  /**
   * Whether operations are refused whose texts guardrails cannot read, where one of them blocks or masks: realtime sessions,
   * uploads, new batches, and texts as numbers of tokens.
   *
   * @default 'refuse'
   */
  readonly uncheckedRequests?: 'refuse' | 'admit'
  /**
   * Logs requests with their route. An object without members has the defaults, which store neither prompts nor answers.
   *
   * @default none: requests are not logged
   */
  readonly requestLog?: RequestLogOptions
  /** The cache, the timeout and the circuits of searches. */
  readonly search?: SearchOptions
  /** What usage records name, how many may wait, and how they are batched. */
  readonly usage?: UsageOptions
  /** What models cost. Each replaces the bundled price of its models. @default the bundled prices only */
  readonly prices?: PriceByModel
  /** Whether public list prices of common models count, as they were when this version was made. @default true */
  readonly bundledPrices?: boolean
  /** Whether callers get the cost of their requests, in `x-trivium-cost` and on request in streams. @default true */
  readonly showCost?: boolean
  /** How long usage and ended keys are kept. @default 400 days each */
  readonly retention?: RetentionOptions
  /** The host's own checks. @default none */
  readonly health?: HealthOptions
  /**
   * How single upstreams and models are called: which models, timeouts, retries, default fields, headers and limits of
   * running requests. By `upstream` or `upstream/model`.
   *
   * @default none
   */
  readonly upstreams?: UpstreamRulesByName
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
  budgets: true,
  forwardHeaders: true,
  images: true,
  realtime: true,
  responses: true,
  endpoints: true,
  answerCache: true,
  guardrails: true,
  uncheckedRequests: true,
  requestLog: true,
  search: true,
  usage: true,
  prices: true,
  bundledPrices: true,
  showCost: true,
  retention: true,
  health: true,
  upstreams: true,
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
