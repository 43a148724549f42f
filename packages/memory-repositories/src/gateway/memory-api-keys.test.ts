import { apiKeyRepositoryConformance } from '@trivium/gateway-core/conformance'
import { memoryApiKeys } from './memory-api-keys.ts'

apiKeyRepositoryConformance((replicas) => Array(replicas).fill(memoryApiKeys()))
