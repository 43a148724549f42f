import { budgetRepositoryConformance } from '../conformance/index.ts'
import { memoryBudgets } from './memory-budgets.ts'

budgetRepositoryConformance((replicas) => Array(replicas).fill(memoryBudgets()))
