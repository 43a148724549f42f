export type { MemoryImagesOptions, MemoryUsageOptions } from '@trivium/gateway-core/memory'
export {
  memoryApiKeys,
  memoryBudgets,
  memoryGatewayRepositories,
  memoryImages,
  memoryKeyInvalidations,
  memoryRateLimiter,
  memoryUsage,
} from '@trivium/gateway-core/memory'
