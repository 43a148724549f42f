import * as v from 'valibot'
import { budgetChangesSchema, budgetSchema, rateLimitSchema } from '../accounts/limit-bounds.ts'
import { wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { groupIdSchema } from '../groups/group-bounds.ts'
import { metadataSchema, policyChangesSchema, policySchema, tagsSchema } from '../policies/policy-bounds.ts'
import {
  expiresInDaysSchema,
  keyIdSchema,
  keyNameSchema,
  MAX_LISTED_KEYS,
  usernameQuerySchema,
  usernameSchema,
} from './api-key-bounds.ts'
import type { ApiKeys } from './api-keys.ts'

const newKey = v.strictObject({
  username: usernameSchema,
  name: v.optional(keyNameSchema),
  rateLimit: v.optional(rateLimitSchema),
  budget: v.optional(budgetSchema),
  policy: v.optional(policySchema),
  teamId: v.optional(groupIdSchema),
  tags: v.optional(tagsSchema),
  metadata: v.optional(metadataSchema),
  expiresInDays: v.optional(expiresInDaysSchema),
  expiresAt: v.optional(v.date()),
})

const changes = v.strictObject({
  name: v.nullish(keyNameSchema),
  rateLimit: v.optional(rateLimitSchema),
  budget: v.optional(budgetChangesSchema),
  policy: v.optional(policyChangesSchema),
  teamId: v.nullish(groupIdSchema),
  tags: v.nullish(tagsSchema),
  metadata: v.nullish(metadataSchema),
  expiresAt: v.nullish(v.date()),
})

const owner = { username: v.optional(usernameQuerySchema), teamId: v.optional(groupIdSchema) }

const query = v.strictObject({
  ...owner,
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
  count: [v.strictObject(owner)],
  find: [keyIdSchema],
  change: [keyIdSchema, changes],
  rotate: [keyIdSchema],
  revoke: [keyIdSchema],
}
