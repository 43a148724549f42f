import * as v from 'valibot'
import { wholeWithin } from '../../bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe, type SchemaOf } from '../fields.ts'
import { inputSchema } from './input-schema.ts'

const embeddingRequest = v.looseObject({
  model: modelSchema,
  input: inputSchema,
  encoding_format: maybe(v.string()),
  dimensions: maybe(wholeWithin(1, 1_000_000)),
  user: maybe(v.string()),
  timeout: maybe(timeoutSchema),
})

export interface EmbeddingRequestSchema extends SchemaOf<typeof embeddingRequest> {}

/** A request for embeddings. Unknown fields are passed to the upstream. */
export const embeddingRequestSchema: EmbeddingRequestSchema = v.pipe(
  embeddingRequest,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)

/** Numbers, or their little-endian 32 bit floats in base64. */
const embedding = v.looseObject({
  object: v.literal('embedding'),
  index: v.number(),
  embedding: v.union([v.array(v.number()), v.string()]),
})

const embeddingAnswer = v.looseObject({
  object: v.literal('list'),
  model: v.string(),
  data: v.array(embedding),
  usage: v.exactOptional(v.looseObject({ prompt_tokens: v.number(), total_tokens: v.number() })),
})

export interface EmbeddingAnswerSchema extends SchemaOf<typeof embeddingAnswer> {}

export const embeddingAnswerSchema: EmbeddingAnswerSchema = v.pipe(embeddingAnswer, v.title('EmbeddingList'))
