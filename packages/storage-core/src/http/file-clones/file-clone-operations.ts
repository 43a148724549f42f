import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { MAXIMUM_RANGES } from '../../file-clones/check-clone.ts'
import { changeParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { flag, jobAnswer, named } from '../wire-schemas.ts'

export const FILE_CLONES_PATH = '/api/storage/file/clone'

export const fileCloneOperations = defineContract({
  createFileClone: {
    method: 'POST',
    path: FILE_CLONES_PATH,
    tags: ['file clones'],
    summary: 'Clones a file, blocks of a file, or a directory',
    query: changeParameters,
    body: v.strictObject({
      volume: v.optional(named),
      svm: v.optional(named),
      source_path: v.pipe(
        v.string(),
        v.description(
          'Relative to the volume. A directory is cloned whole, with at most 100,000 entries and 100 levels below it.',
        ),
      ),
      destination_path: v.pipe(
        v.string(),
        v.description('Relative to the volume. For a directory, a path that does not exist.'),
      ),
      range: v.optional(
        v.pipe(
          v.union([v.pipe(v.array(v.string()), v.maxLength(MAXIMUM_RANGES)), v.pipe(v.string(), v.maxLength(65_536))]),
          v.description('Ranges of the form source:destination:count, in blocks of 4 KiB.'),
        ),
      ),
      overwrite_destination: v.optional(flag),
      split: v.optional(
        v.pipe(
          flag,
          v.description('Whether the clone is split in the background. By default it is where a token is given.'),
        ),
      ),
      token_uuid: v.optional(
        v.pipe(v.string(), v.description('The UUID of the clone token that the split is charged to.')),
      ),
      autodelete: v.optional(v.pipe(flag, v.description('Only false is supported.'))),
      is_backup: v.optional(v.pipe(flag, v.description('Only false is supported.'))),
    }),
    responses: { 201: jobAnswer, 202: jobAnswer, ...failureResponses },
  },
})
