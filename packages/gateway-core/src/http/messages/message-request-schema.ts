import * as v from 'valibot'
import { MAX_MESSAGES, outputTokensSchema } from '../../chat/chat-bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { listOf, maybe } from '../fields.ts'

const messages = v.pipe(listOf(v.looseObject({}), MAX_MESSAGES), v.minLength(1, 'must have at least one message'))

/** A request for a message. Known fields are validated, and unknown ones are passed to the upstream. */
export const messageRequestSchema = v.pipe(
  v.looseObject({
    model: modelSchema,
    messages,
    max_tokens: outputTokensSchema,
    stream: maybe(v.boolean()),
    timeout: maybe(timeoutSchema),
  }),
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)

/** A request whose input tokens are counted. */
export const tokenCountRequestSchema = v.pipe(
  v.looseObject({ model: modelSchema, messages }),
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)
