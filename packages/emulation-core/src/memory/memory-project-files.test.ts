import { projectFilesConformance } from '../conformance/index.ts'
import { memoryProjectFiles } from './memory-project-files.ts'

projectFilesConformance(memoryProjectFiles)
