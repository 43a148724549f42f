import * as v from 'valibot'
import { callSchema } from '../caller-argument.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { modelSchema, timeoutSchema } from '../models/model-bounds.ts'
import type { Chat } from './chat.ts'
import { choicesSchema, MAX_MESSAGES, outputTokensSchema } from './chat-bounds.ts'

/** The members that the gateway itself uses. All others are the upstream's to check. */
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
  }),
})

/** What the methods of {@link Chat} take. */
export const chatArguments: ArgumentSchemas<Chat> = { complete: [callSchema, request], stream: [callSchema, request] }
