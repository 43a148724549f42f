import { instanceRepositoryConformance } from '@trivium/emulation-core/conformance'
import { memoryInstances } from './memory-instances.ts'

instanceRepositoryConformance(memoryInstances)
