import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { volumeStates } from '../../volumes/volume.ts'
import { listParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links, listOf } from '../wire-schemas.ts'

const cliVolume = v.pipe(
  v.partial(
    v.object({
      vserver: v.string(),
      volume: v.string(),
      instance_uuid: v.string(),
      nodes: v.array(v.string()),
      state: v.picklist(volumeStates),
      type: v.string(),
      volume_style_extended: v.string(),
      vsroot: v.boolean(),
      is_constituent: v.boolean(),
      size: v.pipe(v.number(), v.description('In bytes, as `total`, `used` and `available`.')),
      total: v.number(),
      used: v.number(),
      available: v.number(),
      percent_used: v.number(),
      _links: links,
    }),
  ),
  v.title('CliVolume'),
)

export const cliVolumeOperations = defineContract({
  listCliVolumes: {
    method: 'GET',
    path: '/api/private/cli/volume',
    tags: ['volumes'],
    summary: "Lists volumes by the names of ONTAP's command line, for monitoring",
    query: listParameters(['vserver', 'volume', 'instance_uuid', 'nodes', 'state']),
    responses: { 200: listOf(cliVolume), ...failureResponses },
  },
})
