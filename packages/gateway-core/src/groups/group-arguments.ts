import type { ArgumentSchemas } from '../check-arguments.ts'
import { groupChangesSchema, groupIdSchema, groupKindSchema, groupQuerySchema, newGroupSchema } from './group-bounds.ts'
import type { Groups } from './groups.ts'

/** What the methods of {@link Groups} take. */
export const groupArguments: ArgumentSchemas<Groups> = {
  create: [newGroupSchema],
  find: [groupKindSchema, groupIdSchema],
  list: [groupQuerySchema],
  change: [groupKindSchema, groupIdSchema, groupChangesSchema],
  remove: [groupKindSchema, groupIdSchema],
}
