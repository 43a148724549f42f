import * as v from 'valibot'
import { wholeWithin } from '../../bounds.ts'
import { modelSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe } from '../fields.ts'

/** The request for a client secret, as OpenAI's: other members of `session` pass to the upstream. */
export const newClientSecretSchema = v.pipe(
  v.strictObject({
    expires_after: maybe(
      v.strictObject({ anchor: maybe(v.literal('created_at')), seconds: maybe(wholeWithin(10, 7200)) }),
    ),
    session: v.looseObject({ type: maybe(v.literal('realtime', "must be 'realtime'")), model: modelSchema }),
  }),
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)

export const clientSecretSchema = v.pipe(
  v.object({
    value: v.string(),
    /** Seconds since 1970. */
    expires_at: v.number(),
    session: v.looseObject({ type: v.literal('realtime'), model: v.string() }),
  }),
  v.title('ClientSecret'),
)
