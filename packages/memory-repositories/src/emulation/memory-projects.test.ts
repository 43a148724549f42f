import { projectRepositoryConformance } from '@trivium/emulation-core/conformance'
import { memoryProjects } from './memory-projects.ts'

projectRepositoryConformance(memoryProjects)
