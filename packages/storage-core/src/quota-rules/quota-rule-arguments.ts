import * as v from 'valibot'
import { identifier, wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { labelSchema } from '../jobs/job-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import { namedVolumeFields } from '../volumes/volume-arguments.ts'
import { MAXIMUM_THRESHOLDS } from './check-notifications.ts'
import type { QuotaRules } from './quota-rules.ts'
import { quotaTypes } from './quota-target.ts'

/** A number that is not a limit is an error of the operation. */
const limit = v.nullish(v.union([v.number(), v.bigint()]))
const limits = v.optional(v.object({ spaceHard: limit, spaceSoft: limit, filesHard: limit, filesSoft: limit }))
const notifications = {
  /** A period out of its bounds is an error of the operation. */
  gracePeriodSeconds: v.nullish(v.number()),
  thresholds: v.optional(v.pipe(v.array(wholeWithin(1, 100)), v.maxLength(MAXIMUM_THRESHOLDS))),
}
const principal = v.object({ name: v.optional(v.string()), id: v.optional(v.string()) })

/** The fields of a request to create a rule. */
export const createdRuleFields = {
  ...namedVolumeFields,
  type: v.picklist(quotaTypes),
  users: v.optional(v.array(principal)),
  group: v.optional(principal),
  qtree: v.optional(v.string()),
  userMapping: v.optional(v.boolean()),
  limits,
  ...notifications,
}

/** What the methods of {@link QuotaRules} take. Unusable targets and limits are errors of the operations. */
export const quotaRuleArguments: ArgumentSchemas<QuotaRules> = {
  create: [v.object(createdRuleFields), labelSchema],
  find: [identifier],
  list: [pageSchema],
  count: [querySchema],
  update: [identifier, v.object({ limits, userMapping: v.optional(v.boolean()), ...notifications }), labelSchema],
  delete: [identifier, labelSchema],
}
