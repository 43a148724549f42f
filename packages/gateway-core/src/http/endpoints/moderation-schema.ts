import * as v from 'valibot'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { listOf, maybe, type SchemaOf } from '../fields.ts'
import { MAX_INPUTS } from './input-schema.ts'

const part = v.looseObject({ type: v.string() })

const moderationRequest = v.looseObject({
  model: maybe(modelSchema),
  input: v.union(
    [v.string(), listOf(v.union([v.string(), part]), MAX_INPUTS)],
    `must be a string or an array of at most ${MAX_INPUTS} strings or content parts`,
  ),
  timeout: maybe(timeoutSchema),
})

export interface ModerationRequestSchema extends SchemaOf<typeof moderationRequest> {}

/** A request for moderations. Unknown fields are passed to the upstream. */
export const moderationRequestSchema: ModerationRequestSchema = v.pipe(
  moderationRequest,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)

const moderationAnswer = v.looseObject({
  id: v.string(),
  model: v.string(),
  results: v.array(v.looseObject({ flagged: v.boolean() })),
})

export interface ModerationAnswerSchema extends SchemaOf<typeof moderationAnswer> {}

export const moderationAnswerSchema: ModerationAnswerSchema = v.pipe(moderationAnswer, v.title('Moderation'))
