import { keyInvalidationsConformance } from '../conformance/index.ts'
import { memoryKeyInvalidations } from './memory-key-invalidations.ts'

keyInvalidationsConformance((replicas) => Array(replicas).fill(memoryKeyInvalidations()))
