import * as v from 'valibot'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { listOf, maybe } from '../fields.ts'
import { MAX_INPUTS } from './input-schema.ts'

const part = v.looseObject({ type: v.string() })

/** A request for moderations. Unknown fields are passed to the upstream. */
export const moderationRequestSchema = v.pipe(
  v.looseObject({
    model: maybe(modelSchema),
    input: v.union(
      [v.string(), listOf(v.union([v.string(), part]), MAX_INPUTS)],
      `must be a string or an array of at most ${MAX_INPUTS} strings or content parts`,
    ),
    timeout: maybe(timeoutSchema),
  }),
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)

export const moderationAnswerSchema = v.pipe(
  v.looseObject({
    id: v.string(),
    model: v.string(),
    results: v.array(v.looseObject({ flagged: v.boolean() })),
  }),
  v.title('Moderation'),
)
