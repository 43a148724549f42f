import { lastText } from './conversation.ts'
import type { LocalChatModel, LocalReply } from './local-chat-model.ts'

/** One turn of a script. */
export interface ScriptedTurn {
  /** The text that the last message has to contain, or the pattern that it has to match. */
  readonly when: string | RegExp
  /** The text, or the calls of tools with their arguments. */
  readonly reply: LocalReply
}

/** Creates a model that answers with its script, and otherwise repeats the last message. */
export const scripted = (script: readonly ScriptedTurn[]): LocalChatModel => ({
  id: 'scripted-no-llm',
  reply: (request) => {
    const text = lastText(request)
    const turn = script.find(({ when }) => (typeof when === 'string' ? text.includes(when) : text.search(when) >= 0))
    return turn?.reply ?? { type: 'text', text }
  },
})
