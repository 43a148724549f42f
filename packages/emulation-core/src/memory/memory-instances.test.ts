import { instanceRepositoryConformance } from '../conformance/index.ts'
import { memoryInstances } from './memory-instances.ts'

instanceRepositoryConformance(memoryInstances)
