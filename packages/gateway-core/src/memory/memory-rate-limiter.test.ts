import { rateLimiterConformance } from '../conformance/index.ts'
import { memoryRateLimiter } from './memory-rate-limiter.ts'

rateLimiterConformance((replicas) => Array(replicas).fill(memoryRateLimiter()))
