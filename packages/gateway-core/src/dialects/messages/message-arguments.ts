import * as v from 'valibot'
import { callSchema } from '../../caller-argument.ts'
import { type ArgumentSchemas, checkArguments } from '../../check-arguments.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { CheckedRequest } from '../requests/checked-request.ts'
import { hasMessages, MAX_MESSAGES, maxTokensSchema, NO_MESSAGES } from './message-bounds.ts'
import type { Messages } from './messages.ts'

const prompt = {
  model: modelSchema,
  messages: v.custom<readonly unknown[]>(
    (value) => Array.isArray(value) && value.length <= MAX_MESSAGES,
    `must be a list of at most ${MAX_MESSAGES} messages`,
  ),
}

/** The members that the gateway itself uses. All others are the upstream's to check. */
const request = v.object({
  body: v.pipe(
    v.looseObject({
      ...prompt,
      max_tokens: maxTokensSchema,
      timeout: v.nullish(timeoutSchema),
      stream: v.nullish(v.boolean()),
    }),
    v.forward(
      v.check((body) => hasMessages(body), NO_MESSAGES),
      ['messages'],
    ),
  ),
})

const counted = v.object({
  body: v.pipe(
    v.looseObject(prompt),
    v.forward(
      v.check((body) => hasMessages(body), NO_MESSAGES),
      ['messages'],
    ),
  ),
})

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
