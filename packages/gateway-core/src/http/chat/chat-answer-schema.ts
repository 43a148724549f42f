import * as v from 'valibot'
import type { SchemaOf } from '../fields.ts'

const usage = v.looseObject({
  prompt_tokens: v.number(),
  completion_tokens: v.number(),
  total_tokens: v.number(),
})

const finishReason = v.nullable(v.string())

const chatCompletion = v.looseObject({
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
})

export interface ChatCompletionSchema extends SchemaOf<typeof chatCompletion> {}

/** A complete answer. Upstreams may add fields. */
export const chatCompletionSchema: ChatCompletionSchema = v.pipe(chatCompletion, v.title('ChatCompletion'))

const chatChunk = v.looseObject({
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
})

export interface ChatChunkSchema extends SchemaOf<typeof chatChunk> {}

export const chatChunkSchema: ChatChunkSchema = v.pipe(chatChunk, v.title('ChatCompletionChunk'))
