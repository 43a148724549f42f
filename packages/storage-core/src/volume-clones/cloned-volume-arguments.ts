import * as v from 'valibot'
import { identifier } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { labelSchema } from '../jobs/job-arguments.ts'
import type { ClonedVolumes } from './cloned-volumes.ts'

const named = v.object({ uuid: v.optional(identifier), name: v.optional(identifier) })

/** What the methods of {@link ClonedVolumes} take. Names that no volume can have are errors of the operations. */
export const clonedVolumeArguments: ArgumentSchemas<ClonedVolumes> = {
  create: [
    v.object({
      name: v.string(),
      svm: v.optional(named),
      parent: named,
      parentSvm: v.optional(named),
      among: v.optional(v.array(identifier)),
    }),
    labelSchema,
  ],
  delete: [identifier, labelSchema],
}
