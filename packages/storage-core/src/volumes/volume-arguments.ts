import * as v from 'valibot'
import { identifier } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { labelSchema } from '../jobs/job-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import type { Volumes } from './volumes.ts'

const named = v.optional(v.object({ uuid: v.optional(identifier), name: v.optional(identifier) }))

/** The fields of a {@link NamedVolume}. */
export const namedVolumeFields = { svm: named, volume: named, among: v.optional(v.array(identifier)) }

/** What the methods of {@link Volumes} take. */
export const volumeArguments: ArgumentSchemas<Volumes> = {
  find: [identifier],
  list: [pageSchema],
  count: [querySchema],
  space: [identifier],
  setQuota: [identifier, v.boolean(), labelSchema],
  /** A period out of its bounds is an error of the operation. */
  setGracePeriod: [identifier, v.nullable(v.number()), labelSchema],
}
