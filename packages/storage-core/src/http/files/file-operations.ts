import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { splitStates } from '../../splits/split.ts'
import { showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links, reference } from '../wire-schemas.ts'

const file = v.pipe(
  v.partial(
    v.object({
      volume: reference,
      path: v.pipe(v.string(), v.description('Relative to the volume.')),
      name: v.string(),
      type: v.picklist(['file', 'directory', 'other']),
      size: v.pipe(v.number(), v.description('In bytes. Only for files.')),
      unique_bytes: v.pipe(
        v.number(),
        v.description('The bytes in blocks that no other file shares, without holes. Only for files.'),
      ),
      is_flexclone: v.pipe(
        v.boolean(),
        v.description('Whether other files share its blocks: of a clone and of its source. Only for files.'),
      ),
      split: v.pipe(
        v.object({ uuid: v.string(), state: v.picklist(splitStates), _links: v.optional(links) }),
        v.description('Its unfinished split.'),
      ),
      _links: links,
    }),
  ),
  v.title('VolumeFile'),
)

export const fileOperations = defineContract({
  getVolumeFile: {
    method: 'GET',
    path: '/api/storage/volumes/{volume_uuid}/files/{path+}',
    tags: ['files'],
    summary: 'Reads a file of a volume, and whether it shares blocks',
    params: v.object({ volume_uuid: v.string(), path: v.string() }),
    query: showParameters,
    responses: { 200: file, ...failureResponses },
  },
})
