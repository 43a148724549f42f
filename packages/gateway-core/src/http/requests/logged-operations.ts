import type { UsageRecord } from '../../usage/usage-record.ts'
import type { GatewayOperation } from '../contract.ts'

/** The operations whose refused requests are logged, by the operation of their records. */
const loggedOperations: Readonly<Partial<Record<GatewayOperation, UsageRecord['operation']>>> = {
  createChatCompletion: 'chat',
  createResponse: 'chat',
  createMessage: 'chat',
  createCompletion: 'completion',
  createEmbedding: 'embedding',
  createModeration: 'moderation',
  createRerank: 'rerank',
  createRerankV2: 'rerank',
  createSpeech: 'audio',
  createTranscription: 'audio',
  createTranslation: 'audio',
  createImage: 'image',
  editImage: 'image',
  createImageVariation: 'image',
  search: 'search',
}

const byId: Readonly<Record<string, UsageRecord['operation'] | undefined>> = loggedOperations

/** Returns the operation of a request's records; `undefined` for one that calls no model. */
export const loggedOperation = (id: string): UsageRecord['operation'] | undefined =>
  Object.hasOwn(byId, id) ? byId[id] : undefined
