import * as v from 'valibot'
import type { SchemaOf } from '../fields.ts'

const usage = v.looseObject({
  input_tokens: v.number(),
  output_tokens: v.number(),
  total_tokens: v.number(),
})

const item = v.looseObject({ type: v.string() })

const responseAnswer = v.looseObject({
  id: v.string(),
  object: v.literal('response'),
  created_at: v.number(),
  status: v.exactOptional(v.string()),
  model: v.string(),
  output: v.array(item),
  error: v.exactOptional(v.nullable(v.looseObject({ code: v.nullable(v.string()), message: v.string() }))),
  incomplete_details: v.exactOptional(v.nullable(v.looseObject({ reason: v.exactOptional(v.string()) }))),
  usage: v.exactOptional(v.nullable(usage)),
})

export interface ResponseAnswerSchema extends SchemaOf<typeof responseAnswer> {}

/** A response. Upstreams may add fields. */
export const responseAnswerSchema: ResponseAnswerSchema = v.pipe(responseAnswer, v.title('Response'))

/** An event of a streamed response. `type` names it and its further fields. */
export const responseEventSchema = v.pipe(
  v.looseObject({ type: v.string(), sequence_number: v.number() }),
  v.title('ResponseEvent'),
)

export const inputTokensSchema = v.pipe(
  v.looseObject({ object: v.literal('response.input_tokens'), input_tokens: v.number() }),
  v.title('ResponseInputTokens'),
)

export const compactedResponseSchema = v.pipe(
  v.looseObject({
    id: v.string(),
    object: v.string(),
    output: v.array(item),
    usage: v.exactOptional(v.nullable(usage)),
  }),
  v.title('CompactedResponse'),
)
