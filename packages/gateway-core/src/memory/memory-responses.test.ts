import { responseRepositoryConformance } from '../conformance/index.ts'
import { memoryResponses } from './memory-responses.ts'

responseRepositoryConformance((replicas) => Array(replicas).fill(memoryResponses()))
