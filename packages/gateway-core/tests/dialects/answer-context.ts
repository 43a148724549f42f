import type { ConversationRequest } from '../../src/dialects/conversation/conversation-request.ts'
import type { JsonObject } from '../../src/dialects/dialect.ts'
import type { AnswerContext } from '../../src/dialects/translation.ts'

/** A request without tools and settings. */
export const emptyRequest: ConversationRequest = {
  dialect: 'chat',
  stream: false,
  turns: [],
  tools: [],
  settings: {},
  names: {},
  extra: {},
}

/** What readers and writers of answers get in tests: ids count from 1, and the time is 1,700,000,000. */
export function answerContext(request: Partial<ConversationRequest> = {}, requested: JsonObject = {}): AnswerContext {
  let ids = 0
  const whole = { ...emptyRequest, ...request }
  return {
    requested,
    request: whole,
    customAsFunctions: new Set(whole.tools.flatMap((tool) => (tool.type === 'custom' ? [tool.name] : []))),
    now: 1_700_000_000,
    newId: () => `id${++ids}`,
  }
}
