import * as v from 'valibot'
import { wholeWithin } from '../../bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { listOf, maybe, type SchemaOf } from '../fields.ts'

/** The most documents of a request. */
const MAX_DOCUMENTS = 10_000

const anyObject = v.looseObject({})

const rerankRequest = v.looseObject({
  model: modelSchema,
  query: v.union([v.string(), anyObject], 'must be a string or an object'),
  documents: v.pipe(
    listOf(v.union([v.string(), anyObject], 'must be a string or an object'), MAX_DOCUMENTS),
    v.minLength(1, 'must have at least one document'),
  ),
  top_n: maybe(wholeWithin(1, 1_000_000)),
  return_documents: maybe(v.boolean()),
  timeout: maybe(timeoutSchema),
})

export interface RerankRequestSchema extends SchemaOf<typeof rerankRequest> {}

/** A request for reranking in the form of Cohere and Jina. Unknown fields are passed to the upstream. */
export const rerankRequestSchema: RerankRequestSchema = v.pipe(
  rerankRequest,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)

const rerankAnswer = v.looseObject({
  results: v.array(v.looseObject({ index: v.number(), relevance_score: v.number() })),
})

export interface RerankAnswerSchema extends SchemaOf<typeof rerankAnswer> {}

export const rerankAnswerSchema: RerankAnswerSchema = v.pipe(rerankAnswer, v.title('Rerank'))
