import { apiKeyRepositoryConformance } from '../conformance/index.ts'
import { memoryApiKeys } from './memory-api-keys.ts'

apiKeyRepositoryConformance((replicas) => Array(replicas).fill(memoryApiKeys()))
