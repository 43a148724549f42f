import { projectRepositoryConformance } from '../conformance/index.ts'
import { memoryProjects } from './memory-projects.ts'

projectRepositoryConformance(memoryProjects)
