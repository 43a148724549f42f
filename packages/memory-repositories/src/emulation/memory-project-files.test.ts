import { projectFilesConformance } from '@trivium/emulation-core/conformance'
import { memoryProjectFiles } from './memory-project-files.ts'

projectFilesConformance(memoryProjectFiles)
