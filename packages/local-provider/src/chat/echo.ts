import { lastUserText } from './conversation.ts'
import type { LocalChatModel } from './local-chat-model.ts'

/** Repeats the last text of the user. */
export const echo: LocalChatModel = {
  id: 'echo-no-llm',
  reply: (request) => ({ type: 'text', text: lastUserText(request) }),
}
