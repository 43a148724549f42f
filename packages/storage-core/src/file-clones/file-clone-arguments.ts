import * as v from 'valibot'
import { identifier, userId } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { labelSchema } from '../jobs/job-arguments.ts'
import { namedVolumeFields } from '../volumes/volume-arguments.ts'
import type { FileClones } from './file-clones.ts'

/** What the methods of {@link FileClones} take. Unusable paths and ranges are errors of the operation. */
export const fileCloneArguments: ArgumentSchemas<FileClones> = {
  create: [
    v.object({
      ...namedVolumeFields,
      source: v.string(),
      destination: v.string(),
      ranges: v.optional(v.array(v.string())),
      overwrite: v.optional(v.boolean()),
      split: v.optional(v.boolean()),
      token: v.optional(identifier),
      tokenOwnerId: v.optional(userId),
    }),
    labelSchema,
  ],
}
