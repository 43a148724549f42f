import * as v from 'valibot'
import { within } from '../../bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe } from '../fields.ts'

/** A request for speech. Unknown fields are passed to the upstream. */
export const speechRequestSchema = v.pipe(
  v.looseObject({
    model: modelSchema,
    input: v.pipe(v.string(), v.minLength(1, 'must not be empty')),
    voice: maybe(v.union([v.string(), v.looseObject({})], 'must be a string or an object')),
    instructions: maybe(v.string()),
    response_format: maybe(v.string()),
    speed: maybe(within(0.01, 100)),
    stream_format: maybe(v.string()),
    timeout: maybe(timeoutSchema),
  }),
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)
