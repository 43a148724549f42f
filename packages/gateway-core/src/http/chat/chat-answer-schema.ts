import * as v from 'valibot'

const usage = v.looseObject({
  prompt_tokens: v.number(),
  completion_tokens: v.number(),
  total_tokens: v.number(),
})

const finishReason = v.nullable(v.string())

/** A complete answer. Upstreams may add fields. */
export const chatCompletionSchema = v.pipe(
  v.looseObject({
    id: v.string(),
    object: v.literal('chat.completion'),
    created: v.number(),
    model: v.string(),
    choices: v.array(
      v.looseObject({
        index: v.number(),
        message: v.looseObject({ role: v.literal('assistant'), content: v.nullable(v.string()) }),
        finish_reason: finishReason,
      }),
    ),
    usage: v.exactOptional(v.nullable(usage)),
  }),
  v.title('ChatCompletion'),
)

export const chatChunkSchema = v.pipe(
  v.looseObject({
    id: v.string(),
    object: v.literal('chat.completion.chunk'),
    created: v.number(),
    model: v.string(),
    choices: v.array(
      v.looseObject({
        index: v.number(),
        delta: v.looseObject({ content: v.exactOptional(v.nullable(v.string())) }),
        finish_reason: finishReason,
      }),
    ),
    usage: v.exactOptional(v.nullable(usage)),
  }),
  v.title('ChatCompletionChunk'),
)
