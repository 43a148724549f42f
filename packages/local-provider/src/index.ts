export type { ScriptedTurn } from './chat/scripted.ts'
export type { LocalProviderOptions } from './local-provider.ts'
export { localProvider } from './local-provider.ts'
