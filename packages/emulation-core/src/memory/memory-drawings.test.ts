import { drawingRepositoryConformance } from '../conformance/index.ts'
import { memoryDrawings } from './memory-drawings.ts'

drawingRepositoryConformance(memoryDrawings)
