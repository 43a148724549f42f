import { budgetRepositoryConformance } from '@trivium/gateway-core/conformance'
import { memoryBudgets } from './memory-budgets.ts'

budgetRepositoryConformance((replicas) => Array(replicas).fill(memoryBudgets()))
