import * as v from 'valibot'
import { nonEmptyLineWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { referenceSchema } from '../instances/instance-arguments.ts'
import { nicSchema } from '../links/link-bounds.ts'
import { MAX_FILTER } from './capture-filter.ts'
import type { Captures } from './captures.ts'

const direction = v.optional(v.picklist(['both', 'outgoing', 'incoming']))
const signal = v.instance(AbortSignal)
const filter = v.optional(nonEmptyLineWithin(MAX_FILTER))

/** What the methods of {@link Captures} take. A name that cannot be one of a file is an error of the operations. */
export const captureArguments: ArgumentSchemas<Captures> = {
  start: [
    referenceSchema,
    nicSchema,
    v.object({ fileName: v.string(), dataLinkType: v.optional(v.string()), direction, filter }),
  ],
  stop: [referenceSchema, nicSchema],
  stream: [referenceSchema, nicSchema, v.object({ direction, filter, signal })],
  list: [v.string()],
  read: [v.string(), v.string(), v.object({ follow: v.boolean(), signal })],
  remove: [v.string(), v.string()],
}
