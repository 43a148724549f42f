export type { LocalReply, LocalToolCall } from './chat/local-chat-model.ts'
export type { ScriptedTurn } from './chat/scripted.ts'
export type { LocalProviderOptions } from './local-provider.ts'
export { localProvider } from './local-provider.ts'
