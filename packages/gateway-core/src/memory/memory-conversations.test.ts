import { conversationRepositoryConformance } from '../conformance/index.ts'
import { memoryConversations } from './memory-conversations.ts'

conversationRepositoryConformance((replicas) => Array(replicas).fill(memoryConversations()))
