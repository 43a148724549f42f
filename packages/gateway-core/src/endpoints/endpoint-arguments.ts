import * as v from 'valibot'
import { callSchema } from '../caller-argument.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { modelSchema, timeoutSchema } from '../models/model-bounds.ts'
import type { EndpointCalls } from './endpoint-calls.ts'
import { endpoints } from './endpoint-descriptions.ts'

/** The members that the gateway itself uses. The body is the upstream's to check. */
const request = v.object({
  endpoint: v.custom<string>(
    (value) => typeof value === 'string' && Object.hasOwn(endpoints, value),
    'is not an endpoint',
  ),
  model: v.optional(modelSchema),
  provider: v.optional(v.string()),
  method: v.optional(v.picklist(['GET', 'POST', 'DELETE'])),
  suffix: v.optional(
    v.pipe(v.string(), v.regex(/^(?:[/?][\x21-\x7e]*)?$/, 'must begin with a slash or a question mark')),
  ),
  streamed: v.optional(v.boolean()),
  isUpload: v.optional(v.boolean()),
  images: v.optional(v.number()),
  choices: v.optional(v.number()),
  timeoutSeconds: v.optional(timeoutSchema),
})

/** What the methods of {@link EndpointCalls} take. */
export const endpointArguments: ArgumentSchemas<EndpointCalls> = { send: [callSchema, request] }
