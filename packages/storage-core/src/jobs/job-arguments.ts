import * as v from 'valibot'
import { identifier, wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import type { Jobs } from './jobs.ts'

/** A timer with a longer delay fires immediately. */
const MAX_WAIT_MS = 2 ** 31 - 1

/** The label of a change. */
export const labelSchema = v.optional(v.object({ description: v.optional(v.string()) }))

/** What the methods of {@link Jobs} take. */
export const jobArguments: ArgumentSchemas<Jobs> = {
  find: [identifier],
  list: [pageSchema],
  count: [querySchema],
  pause: [identifier],
  resume: [identifier],
  cancel: [identifier],
  wait: [v.object({ uuid: identifier }), wholeWithin(0, MAX_WAIT_MS)],
}
