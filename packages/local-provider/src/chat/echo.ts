import { lastUserText } from './conversation.ts'
import type { LocalChatModel } from './local-chat-model.ts'

/** Says what the user said last. */
export const echo: LocalChatModel = {
  id: 'echo-no-llm',
  reply: (request) => ({ type: 'text', text: lastUserText(request) }),
}
