import * as v from 'valibot'
import { callSchema } from '../caller-argument.ts'
import { type ArgumentSchemas, checkArguments } from '../check-arguments.ts'
import { CheckedRequest } from '../dialects/requests/checked-request.ts'
import { modelSchema, timeoutSchema } from '../models/model-bounds.ts'
import type { Chat } from './chat.ts'
import { choicesSchema, MAX_MESSAGES, numberSchemas, outputTokensSchema } from './chat-bounds.ts'

/** The members that the gateway itself uses, and numbers. All others are the upstream's to check. */
const request = v.object({
  body: v.object({
    model: modelSchema,
    messages: v.custom<readonly unknown[]>(
      (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_MESSAGES,
      `must be a list of 1 to ${MAX_MESSAGES} messages`,
    ),
    timeout: v.nullish(timeoutSchema),
    n: v.nullish(choicesSchema),
    max_tokens: v.nullish(outputTokensSchema),
    max_completion_tokens: v.nullish(outputTokensSchema),
    temperature: v.nullish(numberSchemas.temperature),
    top_p: v.nullish(numberSchemas.top_p),
    presence_penalty: v.nullish(numberSchemas.presence_penalty),
    frequency_penalty: v.nullish(numberSchemas.frequency_penalty),
    top_logprobs: v.nullish(numberSchemas.top_logprobs),
    seed: v.nullish(numberSchemas.seed),
  }),
})

/** What the methods of {@link Chat} take. */
const chatArguments: ArgumentSchemas<Chat> = { complete: [callSchema, request], stream: [callSchema, request] }

/** Makes the methods check what they get, unless the HTTP interface has checked it. */
export function checkChatArguments(chat: Chat): Chat {
  const checked = checkArguments({ ...chat }, chatArguments)
  const serviceFor = (given: unknown) => (given instanceof CheckedRequest ? chat : checked)
  return {
    complete: (call, given) => serviceFor(given).complete(call, given),
    stream: (call, given) => serviceFor(given).stream(call, given),
  }
}
