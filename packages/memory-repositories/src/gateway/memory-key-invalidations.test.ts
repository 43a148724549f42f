import { keyInvalidationsConformance } from '@trivium/gateway-core/conformance'
import { memoryKeyInvalidations } from './memory-key-invalidations.ts'

keyInvalidationsConformance((replicas) => Array(replicas).fill(memoryKeyInvalidations()))
