import type { GatewayOperation } from '../contract.ts'
import type { GatewaySocket } from '../realtime/socket-contract.ts'
import type { OwnRule } from './access.ts'

/** The access rules, unless the host replaces them. */
export const ownRules: Readonly<Record<GatewayOperation | GatewaySocket, OwnRule>> = {
  createChatCompletion: 'key',
  createResponse: 'key',
  createMessage: 'key',
  countMessageTokens: 'key',
  getResponse: 'key',
  deleteResponse: 'key',
  cancelResponse: 'key',
  listResponseInputItems: 'key',
  createConversation: 'key',
  getConversation: 'key',
  changeConversation: 'key',
  deleteConversation: 'key',
  createConversationItems: 'key',
  listConversationItems: 'key',
  getConversationItem: 'key',
  deleteConversationItem: 'key',
  createImage: 'key',
  // The id itself is the secret.
  getImageFile: 'open',
  listModels: 'key',
  getModel: 'key',
  listImageModels: 'key',
  generateKey: 'admin',
  validateKey: 'open',
  listKeys: 'admin',
  getKey: 'admin',
  changeKey: 'admin',
  rotateKey: 'admin',
  revokeKey: 'admin',
  getCaller: 'key',
  getUsage: 'key',
  search: 'key',
  getHealth: 'open',
  createClientSecret: 'key',
  connectRealtime: 'key',
}
