import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import {
  expiresInDaysSchema,
  keyIdSchema,
  keyNameSchema,
  MAX_LISTED_KEYS,
  rateLimitSchema,
  tokenLimitSchema,
  usernameQuerySchema,
} from './api-key-bounds.ts'
import type { ApiKeys } from './api-keys.ts'

const budget = v.strictObject({
  tokensPerMinute: v.optional(tokenLimitSchema),
  tokensPerDay: v.optional(tokenLimitSchema),
})

const newKey = v.strictObject({
  username: keyNameSchema,
  name: v.optional(keyNameSchema),
  rateLimit: v.optional(rateLimitSchema),
  budget: v.optional(budget),
  expiresInDays: v.optional(expiresInDaysSchema),
})

const query = v.strictObject({
  username: v.optional(usernameQuerySchema),
  after: v.optional(keyIdSchema),
  limit: wholeWithin(1, MAX_LISTED_KEYS + 1),
})

/** What the methods of {@link ApiKeys} take. A secret of any form is refused as malformed. */
export const apiKeyArguments: ArgumentSchemas<ApiKeys> = {
  generate: [newKey],
  authenticate: [],
  validate: [],
  check: [v.string(), v.optional(v.string())],
  list: [query],
  find: [keyIdSchema],
  rename: [keyIdSchema, v.optional(keyNameSchema)],
  changeLimits: [keyIdSchema, v.strictObject({ rateLimit: v.optional(rateLimitSchema), budget: v.optional(budget) })],
  rotate: [keyIdSchema],
  revoke: [keyIdSchema],
}
