import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import { noticeKinds } from './notice.ts'
import type { Notices } from './notices.ts'

const noticeId = v.pipe(
  v.string(),
  v.minLength(1, 'must have at least 1 character'),
  v.maxLength(128, 'must have at most 128 characters'),
)

/** What the methods of {@link Notices} take. */
export const noticeArguments: ArgumentSchemas<Notices> = {
  publish: [v.object({ id: noticeId, kind: v.picklist(noticeKinds), at: v.date() })],
  list: [pageSchema],
  count: [querySchema],
  follow: [
    v.optional(
      v.object({
        after: v.optional(wholeWithin(0, Number.MAX_SAFE_INTEGER)),
        query: v.optional(v.union([querySchema, v.function()])),
        signal: v.optional(v.instance(AbortSignal)),
      }),
    ),
  ],
}
