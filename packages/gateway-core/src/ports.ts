export type { AccountId, AccountOwner } from './accounts/account-id.ts'
export { accountIdOf, accountOwner } from './accounts/account-id.ts'
export type { Budget, SpendLimit, SpendPeriod, TokenBudget } from './accounts/limits.ts'
export type { AnswerCache, AnswerCacheLimits, StoredAnswer } from './answer-cache/answer-cache.ts'
export type { ApiKeyHash } from './api-keys/api-key.ts'
export type {
  ApiKeyChanges,
  ApiKeyCounts,
  ApiKeyNames,
  ApiKeyOwner,
  ApiKeyQuery,
  ApiKeyRepository,
  ApiKeyUse,
} from './api-keys/api-key-repository.ts'
export { changedApiKey } from './api-keys/api-key-repository.ts'
export type { KeyInvalidations } from './api-keys/key-invalidations.ts'
export { type CallGroupsOptions, callGroups } from './batches/call-groups.ts'
export type { BudgetAccount, ReservedSums } from './budgets/budget-account.ts'
export {
  budgetStateOf,
  checkBudgetUse,
  currentAccount,
  EXPIRED_RESERVATION_MS,
  emptyBudgetAccount,
  hasNewShift,
  latestPlausibleTime,
  noReservations,
  refusingLimit,
  reservationCounts,
  settledAccount,
  windowsOf,
} from './budgets/budget-account.ts'
export type {
  BudgetDecision,
  BudgetedAccount,
  BudgetLimit,
  BudgetRepository,
  BudgetState,
  BudgetUse,
  ExpiredReservation,
  KeptReceipt,
  Reservation,
  ReservationId,
  ReservationKey,
  Unfinished,
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
export type { Group, GroupId, GroupKind } from './groups/group.ts'
export type { GroupChanges, GroupQuery, GroupRepository } from './groups/group-repository.ts'
export { changedGroup } from './groups/group-repository.ts'
export type {
  GuardedSide,
  GuardedText,
  Guardrail,
  GuardrailContext,
  GuardrailFinding,
  GuardrailVerdict,
  ModerationResult,
} from './guardrails/guardrail.ts'
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
export type { GaugeValue, MetricDefinition, MetricLabels, MetricsRecorder } from './metrics/metrics-recorder.ts'
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
  ProviderServer,
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
export { type AdmissionMark, AdmissionQueue } from './rate-limits/admission-queue.ts'
export type { RateDecision, RateLimiter, RateState } from './rate-limits/rate-limiter.ts'
export { CLOCK_SKEW_MS, RATE_WINDOW_MS } from './rate-limits/rate-limiter.ts'
export { RecentAccounts } from './rate-limits/recent-accounts.ts'
export type { StatusClass } from './request-log/request-log-bounds.ts'
export type {
  LogPlace,
  RequestLogFilter,
  RequestLogPage,
  RequestLogQuery,
  RequestLogRepository,
} from './request-log/request-log-repository.ts'
export { searchable, searchedTextOf } from './request-log/request-log-repository.ts'
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
export { Turns } from './turns.ts'
export { summarizeRecords } from './usage/summarize-records.ts'
export type { UsageId } from './usage/usage-record.ts'
export type {
  UsageFilter,
  UsageGroup,
  UsageGrouping,
  UsageQuery,
  UsageRepository,
  UsageSummary,
  UsageTop,
} from './usage/usage-repository.ts'
export { type UsageCounts, UsageTotals } from './usage/usage-totals.ts'
