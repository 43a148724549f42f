import * as v from 'valibot'
import { userIdSchema } from './accounts/account-bounds.ts'
import { rateLimitSchema, tokenLimitSchema } from './accounts/limit-bounds.ts'

const user = v.object({
  type: v.literal('user'),
  id: userIdSchema,
  limits: v.optional(
    v.object({
      requestsPerMinute: v.optional(rateLimitSchema),
      tokensPerMinute: v.optional(tokenLimitSchema),
      tokensPerDay: v.optional(tokenLimitSchema),
    }),
  ),
})

const key = v.object({
  type: v.literal('key'),
  key: v.object({ id: v.string(), rateLimit: v.number(), budget: v.object({}) }),
})

/** The caller of a service. A key is one that the gateway has returned. */
export const callerSchema = v.variant('type', [
  key,
  user,
  v.object({ type: v.literal('admin') }),
  v.object({ type: v.literal('anonymous') }),
])

/** A `GatewayCall`, of which only the caller is looked at: to read its signal costs a listener. */
export const callSchema = v.object({ caller: callerSchema })
