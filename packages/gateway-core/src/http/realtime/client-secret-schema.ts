import * as v from 'valibot'
import { wholeWithin } from '../../bounds.ts'
import { modelSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe, type SchemaOf } from '../fields.ts'

const newClientSecret = v.strictObject({
  expires_after: maybe(
    v.strictObject({ anchor: maybe(v.literal('created_at')), seconds: maybe(wholeWithin(10, 7200)) }),
  ),
  session: v.looseObject({ type: maybe(v.literal('realtime', "must be 'realtime'")), model: modelSchema }),
})

export interface NewClientSecretSchema extends SchemaOf<typeof newClientSecret> {}

/** The request for a client secret, as OpenAI's: other members of `session` pass to the upstream. */
export const newClientSecretSchema: NewClientSecretSchema = v.pipe(
  newClientSecret,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)

const clientSecret = v.object({
  value: v.string(),
  /** Seconds since 1970. */
  expires_at: v.number(),
  session: v.looseObject({ type: v.literal('realtime'), model: v.string() }),
})

export interface ClientSecretSchema extends SchemaOf<typeof clientSecret> {}

export const clientSecretSchema: ClientSecretSchema = v.pipe(clientSecret, v.title('ClientSecret'))
