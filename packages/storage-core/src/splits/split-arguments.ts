import * as v from 'valibot'
import { identifier, userId, wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import { namedVolumeFields } from '../volumes/volume-arguments.ts'
import type { Splits } from './splits.ts'

/** What the methods of {@link Splits} take. An unusable path is an error of the operation. */
export const splitArguments: ArgumentSchemas<Splits> = {
  find: [identifier],
  list: [pageSchema],
  count: [querySchema],
  queue: [identifier],
  request: [
    v.object({
      ...namedVolumeFields,
      path: v.string(),
      token: v.optional(identifier),
      tokenOwnerId: v.optional(userId),
    }),
  ],
  change: [
    identifier,
    v.object({
      state: v.optional(v.picklist(['waiting', 'paused'])),
      order: v.optional(wholeWithin(1, Number.MAX_SAFE_INTEGER)),
    }),
  ],
  cancel: [identifier],
  status: [],
  statusOf: [identifier],
}
