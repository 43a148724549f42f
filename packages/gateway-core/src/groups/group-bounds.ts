import * as v from 'valibot'
import { budgetChangesSchema, budgetSchema, rateLimitSchema } from '../accounts/limit-bounds.ts'
import { nameWithin, printable, wholeWithin } from '../bounds.ts'
import { metadataSchema, policyChangesSchema, policySchema, tagsSchema } from '../policies/policy-bounds.ts'

/** The most groups in a page of a list. One more shows whether there is another page. */
export const MAX_LISTED_GROUPS = 1000

/** The id of a group, or of any other that is then not found. */
export const groupIdSchema = v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters'), printable)

export const groupKindSchema = v.picklist(['team', 'user'])

/** A username, or the name of a team. */
export const groupNameSchema = nameWithin(128)

export const MAX_OWNERS = 100

const ownersSchema = v.pipe(v.array(groupIdSchema), v.maxLength(MAX_OWNERS, `must have at most ${MAX_OWNERS} owners`))

export const newGroupSchema = v.strictObject({
  kind: groupKindSchema,
  name: groupNameSchema,
  rateLimit: v.optional(rateLimitSchema),
  budget: v.optional(budgetSchema),
  policy: v.optional(policySchema),
  owners: v.optional(ownersSchema),
  tags: v.optional(tagsSchema),
  metadata: v.optional(metadataSchema),
})

export const groupChangesSchema = v.strictObject({
  name: v.optional(groupNameSchema),
  rateLimit: v.nullish(rateLimitSchema),
  budget: v.optional(budgetChangesSchema),
  policy: v.optional(policyChangesSchema),
  owners: v.optional(ownersSchema),
  tags: v.nullish(tagsSchema),
  metadata: v.nullish(metadataSchema),
})

export const groupQuerySchema = v.strictObject({
  kind: groupKindSchema,
  after: v.optional(groupIdSchema),
  limit: wholeWithin(1, MAX_LISTED_GROUPS + 1),
})
