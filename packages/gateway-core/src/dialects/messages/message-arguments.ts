import * as v from 'valibot'
import { callSchema } from '../../caller-argument.ts'
import { type ArgumentSchemas, checkArguments } from '../../check-arguments.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { CheckedRequest } from '../requests/checked-request.ts'
import { MAX_MESSAGES, maxTokensSchema } from './message-bounds.ts'
import type { Messages } from './messages.ts'

const prompt = {
  model: modelSchema,
  messages: v.custom<readonly unknown[]>(
    (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_MESSAGES,
    `must be a list of 1 to ${MAX_MESSAGES} messages`,
  ),
}

/** The members that the gateway itself uses. All others are the upstream's to check. */
const request = v.object({
  body: v.looseObject({
    ...prompt,
    max_tokens: maxTokensSchema,
    timeout: v.nullish(timeoutSchema),
    stream: v.nullish(v.boolean()),
  }),
})

const counted = v.object({ body: v.looseObject(prompt) })

/** What the methods of {@link Messages} take. */
const messageArguments: ArgumentSchemas<Messages> = {
  complete: [callSchema, request],
  stream: [callSchema, request],
  countTokens: [callSchema, counted],
}

/** Makes the methods check what they get, unless the HTTP interface has checked it. */
export function checkMessageArguments(messages: Messages): Messages {
  const checked = checkArguments({ ...messages }, messageArguments)
  const serviceFor = (given: unknown) => (given instanceof CheckedRequest ? messages : checked)
  return {
    complete: (call, given) => serviceFor(given).complete(call, given),
    stream: (call, given) => serviceFor(given).stream(call, given),
    countTokens: (call, given) => serviceFor(given).countTokens(call, given),
  }
}
