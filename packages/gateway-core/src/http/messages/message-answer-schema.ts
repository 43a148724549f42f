import * as v from 'valibot'
import type { SchemaOf } from '../fields.ts'

const messageAnswer = v.looseObject({
  id: v.string(),
  type: v.literal('message'),
  role: v.literal('assistant'),
  model: v.string(),
  content: v.array(v.looseObject({ type: v.string() })),
  stop_reason: v.nullable(v.string()),
})

export interface MessageAnswerSchema extends SchemaOf<typeof messageAnswer> {}

/** A message of the model. Upstreams may add fields. */
export const messageAnswerSchema: MessageAnswerSchema = v.pipe(messageAnswer, v.title('Message'))

/** An event of a streamed message. */
export const messageEventSchema = v.pipe(v.looseObject({ type: v.string() }), v.title('MessageStreamEvent'))

/** The input tokens of a request. */
export const tokenCountSchema = v.pipe(v.looseObject({ input_tokens: v.number() }), v.title('MessageTokens'))
