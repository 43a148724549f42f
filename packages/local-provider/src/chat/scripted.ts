import { lastText } from './conversation.ts'
import type { LocalChatModel, LocalReply } from './local-chat-model.ts'

/** What is answered to what. */
export interface ScriptedTurn {
  /** What the last message, the user's or a tool's, has to contain, or match. */
  readonly when: string | RegExp
  readonly reply: LocalReply
}

/** Says what its script says. */
export const scripted = (script: readonly ScriptedTurn[]): LocalChatModel => ({
  id: 'scripted-no-llm',
  reply: (request) => {
    const text = lastText(request)
    const turn = script.find(({ when }) => (typeof when === 'string' ? text.includes(when) : text.search(when) >= 0))
    return turn?.reply ?? { type: 'text', text }
  },
})
