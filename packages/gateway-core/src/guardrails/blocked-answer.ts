import { isObject } from '../chat/is-object.ts'
import type { Dialect, JsonObject } from '../dialects/dialect.ts'
import { countIn, numberIn, objectsOf, present } from '../dialects/json-values.ts'
import { repeatedMembers } from './response-members.ts'

/** Returns an answer without its texts, as its dialect ends one that a filter has stopped. */
export const blockedAnswer = (dialect: Dialect, value: JsonObject): JsonObject => blocked[dialect](value)

const blocked: Readonly<Record<Dialect, (value: JsonObject) => JsonObject>> = {
  chat: (value) => ({
    ...chatEnvelope(value),
    choices: objectsOf(value.choices).map(({ index }, at) => ({
      index: countIn(index) ?? at,
      message: { role: 'assistant', content: '', refusal: null },
      logprobs: null,
      finish_reason: 'content_filter',
    })),
  }),
  messages: ({ id, type, role, model, usage }) => ({
    ...present({ id, type, role, model }),
    content: [],
    stop_reason: 'refusal',
    stop_sequence: null,
    ...countsIn({ usage }),
  }),
  responses: ({ id, object, created_at, model, usage, ...value }) => ({
    ...present({ id, object, created_at: numberIn(created_at), model }),
    ...repeatedMembers(value),
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
    error: null,
    output: [],
    ...countsIn({ usage }),
  }),
}

/** Returns a text completion without its texts, as one that a filter has stopped. */
export const blockedCompletion = (value: JsonObject): JsonObject => ({
  ...chatEnvelope(value),
  choices: objectsOf(value.choices).map(({ index }, at) => ({
    index: countIn(index) ?? at,
    text: '',
    logprobs: null,
    finish_reason: 'content_filter',
  })),
})

const chatEnvelope = ({ usage, created, ...value }: JsonObject): JsonObject => ({
  ...present({ id: value.id, object: value.object, created: numberIn(created), model: value.model }),
  ...present({ system_fingerprint: value.system_fingerprint, service_tier: value.service_tier }),
  ...countsIn({ usage }),
})

/** Returns the numbers in a value, without its texts. */
function countsIn(value: JsonObject): JsonObject {
  const counts: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (isObject(member)) counts[name] = countsIn(member)
    else if (typeof member === 'number') counts[name] = member
  }
  return counts
}
