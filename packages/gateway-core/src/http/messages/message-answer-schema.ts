import * as v from 'valibot'

/** A message of the model. Upstreams may add fields. */
export const messageAnswerSchema = v.pipe(
  v.looseObject({
    id: v.string(),
    type: v.literal('message'),
    role: v.literal('assistant'),
    model: v.string(),
    content: v.array(v.looseObject({ type: v.string() })),
    stop_reason: v.nullable(v.string()),
  }),
  v.title('Message'),
)

/** An event of a streamed message. */
export const messageEventSchema = v.pipe(v.looseObject({ type: v.string() }), v.title('MessageStreamEvent'))

/** The input tokens of a request. */
export const tokenCountSchema = v.pipe(v.looseObject({ input_tokens: v.number() }), v.title('MessageTokens'))
