import type { ApiKeysOptions } from './api-keys/api-keys.ts'
import type { ChatOptions } from './chat/chat.ts'
import type { GatewayRepositories } from './gateway-repositories.ts'
import type { HealthOptions } from './health/health.ts'
import type { ImageStore } from './images/image-store.ts'
import type { ImagesOptions } from './images/images.ts'
import type { MetricsRecorder } from './metrics/metrics-recorder.ts'
import type { ModelRoute } from './models/model-route.ts'
import type { CircuitOptions } from './providers/circuit.ts'
import type { DiscoveryOptions } from './providers/discovered-models.ts'
import type { Provider } from './providers/provider.ts'
import type { RetryOptions } from './providers/retries.ts'
import type { UpstreamTimeouts } from './providers/upstream-timeouts.ts'
import type { RetentionOptions } from './retention/retention.ts'
import type { SearchOptions } from './search/search.ts'
import type { SearchEngine } from './search/search-engine.ts'
import type { UsageRecorderOptions } from './usage/usage-recorder.ts'

/** Options of a gateway. Only `repositories` and `providers` are required. */
export interface GatewayOptions {
  /** Store keys, limits, budgets and usage. */
  readonly repositories: GatewayRepositories
  /** The upstreams. Their ids are unique and begin the ids of their models. */
  readonly providers: readonly Provider[]
  /** The first one is the default engine. @default none */
  readonly searchEngines?: readonly SearchEngine[]
  /** Stores images for answers with URLs. @default none: images are returned inline only */
  readonly imageStore?: ImageStore
  /** Additional models by their ids: an alias for `provider/model`, or a route with weights and fallbacks. */
  readonly models?: Readonly<Record<string, string | ModelRoute>>
  readonly apiKeys?: ApiKeysOptions
  readonly chat?: ChatOptions
  readonly images?: ImagesOptions
  readonly search?: SearchOptions
  readonly usage?: UsageRecorderOptions
  readonly retention?: RetentionOptions
  readonly health?: HealthOptions
  readonly timeouts?: UpstreamTimeouts
  readonly retries?: RetryOptions
  readonly circuit?: CircuitOptions
  readonly discovery?: DiscoveryOptions
  /** Whether requests are admitted when the store of their limits fails. @default 'refuse' */
  readonly onStoreFailure?: 'refuse' | 'admit'
  /** Records metrics in addition to OpenTelemetry. */
  readonly metrics?: MetricsRecorder
  /** Receives the faults that no caller gets: of background work and of listeners that throw. @default console.error */
  readonly onFault?: (error: unknown) => void
  /** The version that `/health` reports. @default the version of this package */
  readonly version?: string
  /** @default the system's clock */
  readonly now?: () => Date
  /** Creates the ids of keys, requests and records. @default crypto.randomUUID */
  readonly newId?: () => string
  /** Returns a number from 0 up to 1, to select weighted models and to spread retries. @default Math.random */
  readonly random?: () => number
}
