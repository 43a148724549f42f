import type { DialectTranslation } from '../translation.ts'
import { readChatAnswer } from './read-answer.ts'
import { ChatEventReader } from './read-events.ts'
import { readChatRequest } from './read-request.ts'
import { writeChatAnswer } from './write-answer.ts'
import { ChatEventWriter } from './write-events.ts'
import { writeChatRequest } from './write-request.ts'

/** OpenAI's chat completions. */
export const chatTranslation: DialectTranslation = {
  dialect: 'chat',
  readRequest: readChatRequest,
  writeRequest: writeChatRequest,
  readAnswer: readChatAnswer,
  writeAnswer: writeChatAnswer,
  readEvents: (context) => new ChatEventReader(context),
  writeEvents: (context) => new ChatEventWriter(context),
}
