export type { AccountId, AccountOwner } from './accounts/account-id.ts'
export { accountIdOf, accountOwner } from './accounts/account-id.ts'
export type { ApiKeyHash, TokenBudget } from './api-keys/api-key.ts'
export type { ApiKeyLimits, ApiKeyQuery, ApiKeyRepository, ApiKeyUse } from './api-keys/api-key-repository.ts'
export type { KeyInvalidations } from './api-keys/key-invalidations.ts'
export type { BudgetAccount } from './budgets/budget-account.ts'
export {
  budgetStateOf,
  currentAccount,
  decideReservation,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  latestPlausibleTime,
  reservationCounts,
  settledAccount,
} from './budgets/budget-account.ts'
export type {
  BudgetDecision,
  BudgetRepository,
  BudgetState,
  Reservation,
  ReservationId,
} from './budgets/budget-repository.ts'
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
  MediaUrl,
  OtherContentPart,
  OtherToolCall,
  ProviderTool,
  ResponseFormat,
  SystemMessage,
  ToolCall,
  ToolChoice,
  ToolMessage,
  UserMessage,
} from './chat/chat-request.ts'
export { isObject } from './chat/is-object.ts'
export { parseJson } from './chat/parse-json.ts'
export type { OptionNames } from './check-options.ts'
export { checkOptions } from './check-options.ts'
export { checkRange } from './check-range.ts'
export { CallArguments } from './dialects/call-arguments.ts'
export type { Dialect, JsonObject } from './dialects/dialect.ts'
export { reasoningOf } from './dialects/messages/claude-version.ts'
export { withoutForeignThinking } from './dialects/messages/foreign-thinking.ts'
export { codeOf as messageErrorCode } from './dialects/messages/full-context.ts'
export type { Endpoint } from './endpoints/endpoint.ts'
export type { GatewayRepositories } from './gateway-repositories.ts'
export { imageContentType } from './images/image-content-type.ts'
export type {
  GeneratedImage,
  GeneratedImages,
  ImageContentType,
  ImageReport,
  ImageRequest,
  ImageUsage,
} from './images/image-request.ts'
export type { ImageId, ImageStore, StoredImage } from './images/image-store.ts'
export { gatewayMetrics } from './metrics/gateway-metrics.ts'
export type { MetricDefinition, MetricLabels, MetricsRecorder } from './metrics/metrics-recorder.ts'
export type { ModelFacts, ModelPricing } from './models/model-facts.ts'
export { isTooDeep } from './nesting.ts'
export { ByteCollector } from './providers/byte-collector.ts'
export type {
  ByteReceiver,
  ByteSource,
  ChatAnswer,
  ChatProvider,
  ChatStream,
  DialectAnswer,
  DialectProvider,
  DialectStream,
  EndpointAnswer,
  EndpointBody,
  EndpointProvider,
  ImageProvider,
  Provider,
  ProviderChatRequest,
  ProviderContext,
  ProviderDialectRequest,
  ProviderEndpointRequest,
  ProviderModel,
  RealtimeProvider,
  RealtimeReceiver,
  RealtimeSessionRequest,
  RealtimeUpstream,
  TranslationTarget,
  UpstreamHeaders,
} from './providers/provider.ts'
export type { ProviderError, ProviderErrorCause, ProviderErrorInit } from './providers/provider-error.ts'
export { ProviderFailure, toProviderError } from './providers/provider-error.ts'
export { invalidParameter, unsupportedParameter } from './providers/refused-parameter.ts'
export type { RateDecision, RateLimiter, RateState } from './rate-limits/rate-limiter.ts'
export { CLOCK_SKEW_MS, RATE_WINDOW_MS } from './rate-limits/rate-limiter.ts'
export type { ConversationId } from './responses/conversation-id.ts'
export type {
  AppendOutcome,
  ConversationRepository,
  ItemAddition,
  ItemQuery,
} from './responses/conversation-repository.ts'
export type { OwnerLimits, ResponseEnding, ResponseRepository } from './responses/response-repository.ts'
export type { ConversationItem, StoredConversation } from './responses/stored-conversation.ts'
export type { ResponseId, ResponseOwner, ResponseStatus, StoredResponse } from './responses/stored-response.ts'
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
export type { UsageId } from './usage/usage-record.ts'
export type { UsageGrouping, UsageQuery, UsageRepository, UsageSummary } from './usage/usage-repository.ts'
