import * as v from 'valibot'
import { identifier, ordinal } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import type { QuotaReports } from './quota-reports.ts'

const defaults = v.optional(v.boolean())
const files = v.optional(v.boolean())
const options = v.optional(v.object({ files }))

/** What the methods of {@link QuotaReports} take. An unknown index is not found. */
export const quotaReportArguments: ArgumentSchemas<QuotaReports> = {
  find: [identifier, ordinal, options],
  list: [v.object({ ...pageSchema.entries, defaults, files })],
  count: [v.object({ query: querySchema, defaults })],
  ofVolume: [v.object({ uuid: identifier }), options],
}
