export type { ApiKey, ApiKeyId } from './api-keys/api-key.ts'
export type { ApiKeyError, ApiKeysOptions, IssuedApiKey, NewApiKey } from './api-keys/api-keys.ts'
export type { Caller, GatewayCall, UserOfHost } from './caller.ts'
export type { ChatOptions } from './chat/chat.ts'
export type { Gateway } from './create-gateway.ts'
export { createGateway } from './create-gateway.ts'
export type { StoreOptions } from './create-store.ts'
export type {
  EndpointCalls,
  EndpointError,
  EndpointReply,
  EndpointRequest,
  EndpointsOptions,
} from './endpoints/endpoint-calls.ts'
export type { GatewayEvents } from './events/gateway-events.ts'
export type { GatewayOptions } from './gateway-options.ts'
export type { Health, HealthOptions, HealthStatus } from './health/health.ts'
export type { ImageFamily, ImageTraits } from './images/image-family.ts'
export type { ImageError, ImagesOptions } from './images/images.ts'
export { ServiceClosed } from './lifetime.ts'
export type { ModelCallError } from './models/model-call-error.ts'
export type { FactsByModel } from './models/model-facts.ts'
export type { ModelRoute } from './models/model-route.ts'
export type { Model } from './models/models.ts'
export type { CircuitOptions } from './providers/circuit.ts'
export type { DiscoveryOptions } from './providers/discovered-models.ts'
export type { RetryOptions } from './providers/retries.ts'
export type { UpstreamTimeouts } from './providers/upstream-timeouts.ts'
export type { ResponsesOptions } from './responses/responses-options.ts'
export type { RetainedKind, RetentionOptions } from './retention/retention.ts'
export type { SearchOptions, SearchServiceError } from './search/search.ts'
export { StoreFailure } from './store-failure.ts'
export type { UsageRecord } from './usage/usage-record.ts'
export type { UsageRecorderOptions } from './usage/usage-recorder.ts'
