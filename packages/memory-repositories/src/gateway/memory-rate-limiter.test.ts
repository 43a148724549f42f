import { rateLimiterConformance } from '@trivium/gateway-core/conformance'
import { memoryRateLimiter } from './memory-rate-limiter.ts'

rateLimiterConformance((replicas) => Array(replicas).fill(memoryRateLimiter()))
