import { chatTranslation } from './chat/chat-translation.ts'
import type { Dialect } from './dialect.ts'
import { messagesTranslation } from './messages/messages-translation.ts'
import { responsesTranslation } from './responses/responses-translation.ts'
import type { DialectTranslation } from './translation.ts'

/** The translation of each dialect. */
export const translations: Readonly<Record<Dialect, DialectTranslation>> = {
  chat: chatTranslation,
  responses: responsesTranslation,
  messages: messagesTranslation,
}
