import type { ConversationRequest } from '../../../src/dialects/conversation/conversation-request.ts'
import type { JsonObject } from '../../../src/dialects/dialect.ts'
import { responsesTranslation } from '../../../src/dialects/responses/responses-translation.ts'
import type { AnswerContext, WriteRequestOptions } from '../../../src/dialects/translation.ts'

export const writeOptions: WriteRequestOptions = {
  model: 'gpt-5',
  customTools: true,
  defaultMaxTokens: 4096,
  reasoning: 'adaptive',
  cacheBreakpoints: false,
}

export const emptyRequest: ConversationRequest = {
  dialect: 'messages',
  stream: false,
  turns: [],
  tools: [],
  settings: {},
  names: {},
  extra: {},
}

/** What the translation of an answer knows of a request. Ids count from 1. */
export function responseContext(requested: JsonObject = {}, more: Partial<AnswerContext> = {}): AnswerContext {
  let ids = 0
  return {
    requested,
    request: responsesTranslation.readRequest({ input: 'Hi', ...requested }),
    customAsFunctions: new Set(),
    now: 1_700_000_100,
    answerId: 'resp_1',
    newId: () => {
      ids += 1
      return `id${ids}`
    },
    ...more,
  }
}

/** Removes the places in the client's request, which differ between a request and its translation. */
export const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, one) => (name === 'at' ? undefined : one)))
