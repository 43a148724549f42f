import * as v from 'valibot'
import { identifier, userId, wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import type { SelfTokens } from './self-tokens.ts'

/** 10 years. */
export const MAXIMUM_LIFETIME_SECONDS = 3650 * 86_400

const name = v.pipe(
  userId,
  v.check((text) => !/^\d+$/.test(text), 'must not be a number, which is an id'),
)
const id = v.pipe(
  v.string(),
  v.regex(/^(?:0|[1-9]\d{0,9})$/, 'must be a number of at most 10 digits without leading zeros'),
)

/** What the methods of {@link SelfTokens} take. */
export const selfTokenArguments: ArgumentSchemas<SelfTokens> = {
  create: [
    v.object({
      user: v.union([v.strictObject({ name }), v.strictObject({ id })]),
      lifetimeSeconds: v.optional(wholeWithin(1, MAXIMUM_LIFETIME_SECONDS)),
    }),
  ],
  find: [identifier],
  list: [pageSchema],
  count: [querySchema],
  delete: [identifier],
  verify: [v.string()],
}
