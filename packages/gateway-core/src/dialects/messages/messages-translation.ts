import type { DialectTranslation } from '../translation.ts'
import { readAnswer } from './read-answer.ts'
import { readEvents } from './read-events.ts'
import { readRequest } from './read-request.ts'
import { writeAnswer } from './write-answer.ts'
import { writeEvents } from './write-events.ts'
import { writeRequest } from './write-request.ts'

/** Anthropic's Messages API. */
export const messagesTranslation: DialectTranslation = {
  dialect: 'messages',
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  readEvents,
  writeEvents,
}
