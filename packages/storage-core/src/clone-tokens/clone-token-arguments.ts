import * as v from 'valibot'
import { identifier, userId, wholeNumber } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import type { CloneTokens } from './clone-tokens.ts'

/** What the methods of {@link CloneTokens} take. Sizes and lifetimes out of their bounds are errors of the operations. */
export const cloneTokenArguments: ArgumentSchemas<CloneTokens> = {
  create: [
    v.object({
      node: identifier,
      reserveSize: wholeNumber,
      lifetimeSeconds: v.optional(v.number()),
      ownerId: v.optional(userId),
    }),
  ],
  find: [identifier, identifier],
  list: [pageSchema],
  count: [querySchema],
  changeExpiry: [identifier, identifier, v.number()],
  delete: [identifier, identifier],
  expire: [],
}
