import * as v from 'valibot'
import { identifier } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import type { OwnQuotaReports } from './own-quotas.ts'

/** What the methods of {@link OwnQuotaReports} take. Unknown users have no quotas. */
export const ownQuotaArguments: ArgumentSchemas<OwnQuotaReports> = {
  of: [
    v.union([v.strictObject({ name: identifier }), v.strictObject({ id: identifier })]),
    v.optional(v.object({ volumes: v.optional(v.array(identifier)), svm: v.optional(identifier) })),
  ],
}
