import type { Dialect, JsonObject } from '../dialects/dialect.ts'
import { objectsOf } from '../dialects/json-values.ts'

/** Returns an answer without its texts, as its dialect ends one that a filter has stopped. */
export const blockedAnswer = (dialect: Dialect, value: JsonObject): JsonObject => blocked[dialect](value)

const blocked: Readonly<Record<Dialect, (value: JsonObject) => JsonObject>> = {
  chat: ({ choices, ...value }) => ({
    ...value,
    choices: objectsOf(choices).map(({ index }) => ({
      index,
      message: { role: 'assistant', content: '', refusal: null },
      logprobs: null,
      finish_reason: 'content_filter',
    })),
  }),
  messages: (value) => ({ ...value, content: [], stop_reason: 'refusal', stop_sequence: null }),
  responses: ({ output_text: _, ...value }) => ({
    ...value,
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
    error: null,
    output: [],
  }),
}
