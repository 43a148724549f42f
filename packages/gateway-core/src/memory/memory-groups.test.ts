import { groupRepositoryConformance } from '../conformance/group-repository.ts'
import { memoryGroups } from './memory-groups.ts'

groupRepositoryConformance(async (replicas) => Array(replicas).fill(memoryGroups()))
