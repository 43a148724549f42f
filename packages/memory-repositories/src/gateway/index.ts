export type {
  MemoryConversationsOptions,
  MemoryImagesOptions,
  MemoryResponsesOptions,
  MemoryUsageOptions,
} from '@trivium/gateway-core/memory'
export {
  memoryApiKeys,
  memoryBudgets,
  memoryConversations,
  memoryGatewayRepositories,
  memoryImages,
  memoryKeyInvalidations,
  memoryRateLimiter,
  memoryResponses,
  memoryUsage,
} from '@trivium/gateway-core/memory'
