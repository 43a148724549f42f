import * as v from 'valibot'
import { within } from '../../bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe, type SchemaOf } from '../fields.ts'

const speechRequest = v.looseObject({
  model: modelSchema,
  input: v.pipe(v.string(), v.minLength(1, 'must not be empty')),
  voice: maybe(v.union([v.string(), v.looseObject({})], 'must be a string or an object')),
  instructions: maybe(v.string()),
  response_format: maybe(v.string()),
  speed: maybe(within(0.01, 100)),
  stream_format: maybe(v.string()),
  timeout: maybe(timeoutSchema),
})

export interface SpeechRequestSchema extends SchemaOf<typeof speechRequest> {}

/** A request for speech. Unknown fields are passed to the upstream. */
export const speechRequestSchema: SpeechRequestSchema = v.pipe(
  speechRequest,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)
