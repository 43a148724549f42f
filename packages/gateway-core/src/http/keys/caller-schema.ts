import * as v from 'valibot'
import type { SchemaOf } from '../fields.ts'
import { teamStateSchema, userStateSchema } from '../groups/group-schema.ts'
import { reportedTermsEntries, reportedUseEntries } from '../terms/terms-schema.ts'

const caller = v.object({
  object: v.literal('caller'),
  type: v.picklist(['admin', 'key', 'user']),
  key_id: v.nullable(v.string()),
  /** The id of a user of the host; of a key, the id that all keys of its username have. */
  user_id: v.nullable(v.string()),
  username: v.nullable(v.string()),
  name: v.nullable(v.string()),
  expires_at: v.nullable(v.string()),
  /** Requests in 60 seconds. */
  rate_limit: v.nullable(v.number()),
  remaining: v.nullable(v.number()),
  reset_at: v.nullable(v.string()),
  /** Of the key. Nothing is set for others. */
  ...reportedTermsEntries,
  /** The team of the key, whose limits and rules apply too. */
  team: v.nullable(teamStateSchema),
  /** The user of the key, whose limits and rules apply too. */
  user: v.nullable(userStateSchema),
  /** Of the key, or of the user of the host. */
  ...reportedUseEntries,
})

export interface CallerSchema extends SchemaOf<typeof caller> {}

/** The caller of a request. A limit is `null` where the caller does not have it. */
export const callerSchema: CallerSchema = v.pipe(caller, v.title('Caller'))
