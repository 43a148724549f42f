import * as v from 'valibot'
import { callerSchema, callSchema } from '../caller-argument.ts'
import { MAX_MESSAGES, outputTokensSchema } from '../chat/chat-bounds.ts'
import { type ArgumentSchemas, checkArguments } from '../check-arguments.ts'
import { CheckedRequest } from '../dialects/requests/checked-request.ts'
import { modelSchema, timeoutSchema } from '../models/model-bounds.ts'
import type { Conversations } from './conversations.ts'
import type { Responses } from './responses.ts'
import type { StoredResponses } from './stored-responses.ts'

/** The members that the gateway itself uses. All others are the upstream's to check. */
const request = v.object({
  body: v.looseObject({
    model: modelSchema,
    input: v.nullish(
      v.custom<string | readonly unknown[]>(
        (value) => typeof value === 'string' || (Array.isArray(value) && value.length <= MAX_MESSAGES),
        `must be a text or a list of at most ${MAX_MESSAGES} items`,
      ),
    ),
    max_output_tokens: v.nullish(outputTokensSchema),
    timeout: v.nullish(timeoutSchema),
    stream: v.nullish(v.boolean()),
    background: v.nullish(v.boolean()),
    store: v.nullish(v.boolean()),
  }),
})

/** Makes the methods check what they get, unless the HTTP interface has checked it. */
export function checkResponseArguments(responses: Responses): Responses {
  const schemas: ArgumentSchemas<Responses> = {
    complete: [callSchema, request],
    stream: [callSchema, request],
    countTokens: [callSchema, request],
    compact: [callSchema, request],
  }
  const checked = checkArguments({ ...responses }, schemas)
  const serviceFor = (given: unknown) => (given instanceof CheckedRequest ? responses : checked)
  return {
    complete: (call, given) => serviceFor(given).complete(call, given),
    stream: (call, given) => serviceFor(given).stream(call, given),
    countTokens: (call, given) => serviceFor(given).countTokens(call, given),
    compact: (call, given) => serviceFor(given).compact(call, given),
  }
}

const id = v.string()
const page = v.object({
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
  order: v.picklist(['asc', 'desc']),
  after: v.optional(id),
  before: v.optional(id),
})

/** What the methods of {@link StoredResponses} take. An id of any form is looked up. */
export const storedResponseArguments: ArgumentSchemas<StoredResponses> = {
  find: [callerSchema, id],
  stream: [callerSchema, id, v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)))],
  remove: [callerSchema, id],
  runs: [id],
  inputItems: [callerSchema, id, page],
  cancel: [callerSchema, id],
}

const object = v.record(v.string(), v.unknown())
const items = v.array(object)

/** What the methods of {@link Conversations} take. */
export const conversationArguments: ArgumentSchemas<Conversations> = {
  create: [callerSchema, object, items],
  find: [callerSchema, id],
  changeMetadata: [callerSchema, id, object],
  remove: [callerSchema, id],
  addItems: [callerSchema, id, items],
  listItems: [callerSchema, id, page],
  findItem: [callerSchema, id, id],
  removeItem: [callerSchema, id, id],
}
