export type { ApiKey, ApiKeyHash, ApiKeyId, TokenBudget } from './api-keys/api-key.ts'
export type { ApiKeyLimits, ApiKeyQuery, ApiKeyRepository, ApiKeyUse } from './api-keys/api-key-repository.ts'
export type {
  ApiKeyChange,
  ApiKeyError,
  ApiKeyRefusal,
  ApiKeys,
  ApiKeysOptions,
  IssuedApiKey,
  NewApiKey,
} from './api-keys/api-keys.ts'
export type { KeyInvalidations } from './api-keys/key-invalidations.ts'
export type {
  BudgetDecision,
  BudgetRepository,
  BudgetState,
  Reservation,
  ReservationId,
} from './budgets/budget-repository.ts'
export type { BudgetError, TokenBudgets } from './budgets/token-budgets.ts'
export type { Caller, GatewayCall } from './caller.ts'
export type { Chat, ChatOptions, ChatRequest, CompletedChat, StreamedChat } from './chat/chat.ts'
export type {
  ChatChoice,
  ChatChoiceMessage,
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  ChatUsage,
  FinishReason,
  ToolCallDelta,
} from './chat/chat-completion.ts'
export type {
  AssistantMessage,
  ChatCompletionRequest,
  ChatMessage,
  ChatTool,
  ContentPart,
  FunctionCall,
  FunctionDefinition,
  FunctionMessage,
  ResponseFormat,
  SystemMessage,
  ToolCall,
  ToolChoice,
  ToolMessage,
  UserMessage,
} from './chat/chat-request.ts'
export type { ByteSink, SinkControl } from './chat/streams/byte-sink.ts'
export type { DrainOptions } from './chat/streams/drains.ts'
export type { Gateway, GatewayOptions } from './create-gateway.ts'
export { createGateway } from './create-gateway.ts'
export type { GatewayEventEmitter } from './events/emit.ts'
export type { CircuitPlace, FinishedRequest, GatewayEvents, StartedRequest } from './events/gateway-events.ts'
export type { GatewayRepositories } from './gateway-repositories.ts'
export type { Health, HealthStatus } from './health/health.ts'
export { imageContentType } from './images/image-content-type.ts'
export type { GeneratedImage, GeneratedImages, ImageContentType, ImageRequest } from './images/image-request.ts'
export type { ImageId, ImageStore, StoredImage } from './images/image-store.ts'
export type { CreatedImage, CreatedImages, ImageError, Images, ImagesOptions, NewImages } from './images/images.ts'
export { gatewayMetrics } from './metrics/gateway-metrics.ts'
export type { MetricDefinition, MetricLabels, MetricsRecorder } from './metrics/metrics-recorder.ts'
export type { ModelCallError } from './models/model-call-error.ts'
export type { UpstreamTimeouts } from './models/model-calls.ts'
export type { ModelRoute, WeightedModel } from './models/model-route.ts'
export type { Model, ModelError, Models } from './models/models.ts'
export { isTooDeep } from './nesting.ts'
export type { FailedAttempt, RetryOptions } from './providers/attempts.ts'
export { ByteCollector } from './providers/byte-collector.ts'
export type { CircuitOptions } from './providers/circuit.ts'
export type { DiscoveryOptions } from './providers/discovered-models.ts'
export type {
  ByteReceiver,
  ByteSource,
  ChatAnswer,
  ChatProvider,
  ChatStream,
  ImageProvider,
  Provider,
  ProviderChatRequest,
  ProviderContext,
  ProviderModel,
  UpstreamHeaders,
} from './providers/provider.ts'
export type { ProviderError, ProviderErrorCause, ProviderErrorInit } from './providers/provider-error.ts'
export { ProviderFailure, toProviderError } from './providers/provider-error.ts'
export { invalidParameter, unsupportedParameter } from './providers/refused-parameter.ts'
export { retryAfterSeconds } from './providers/retry-after.ts'
export { transportFailure } from './providers/transport-failure.ts'
export { upstreamSecrets } from './providers/upstream-secrets.ts'
export type { RateDecision, RateLimiter, RateState } from './rate-limits/rate-limiter.ts'
export { RATE_WINDOW_MS } from './rate-limits/rate-limiter.ts'
export type { LimitError, RequestLimits } from './rate-limits/request-limits.ts'
export type { FoundResults, Search, SearchOptions, SearchRequest, SearchServiceError } from './search/search.ts'
export type { SearchContext, SearchEngine, SearchQuery } from './search/search-engine.ts'
export type { SearchError } from './search/search-error.ts'
export { SearchFailure } from './search/search-error.ts'
export type {
  ImageResult,
  NewsResult,
  SearchResults,
  SearchType,
  Suggestion,
  TextResult,
} from './search/search-result.ts'
export { StoreFailure } from './store-failure.ts'
export type { UsageId, UsageRecord } from './usage/usage-record.ts'
export type { UsageRecorderOptions } from './usage/usage-recorder.ts'
export type { UsageReports } from './usage/usage-reports.ts'
export type { UsageGrouping, UsageQuery, UsageRepository, UsageSummary } from './usage/usage-repository.ts'
