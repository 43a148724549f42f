import * as v from 'valibot'
import { identifier, ordinal } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { labelSchema } from '../jobs/job-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import { namedVolumeFields } from '../volumes/volume-arguments.ts'
import { PERMISSIONS, securityStyles } from './qtree.ts'
import type { Qtrees } from './qtrees.ts'

const permissions = v.pipe(
  v.number(),
  v.check((digits) => PERMISSIONS.test(String(digits)), 'must be octal digits such as 755'),
)

const fields = {
  name: v.optional(v.string()),
  securityStyle: v.optional(v.picklist(securityStyles)),
  unixPermissions: v.optional(permissions),
  exportPolicy: v.optional(v.string()),
}

/** What the methods of {@link Qtrees} take. An unusable name is an error of the operations. */
export const qtreeArguments: ArgumentSchemas<Qtrees> = {
  create: [v.object({ ...namedVolumeFields, ...fields }), labelSchema],
  find: [identifier, ordinal],
  list: [pageSchema],
  count: [querySchema],
  update: [identifier, ordinal, v.object(fields), labelSchema],
  delete: [identifier, ordinal, labelSchema],
}
