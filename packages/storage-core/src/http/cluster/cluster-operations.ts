import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links } from '../wire-schemas.ts'

const cluster = v.pipe(
  v.partial(
    v.object({
      name: v.string(),
      uuid: v.string(),
      version: v.pipe(
        v.object({ full: v.string(), generation: v.number(), major: v.number(), minor: v.number() }),
        v.description('The ONTAP version of the interface.'),
      ),
      _links: links,
    }),
  ),
  v.title('Cluster'),
)

export const clusterOperations = defineContract({
  getCluster: {
    method: 'GET',
    path: '/api/cluster',
    tags: ['cluster'],
    summary: 'Reads the name and version of the cluster',
    query: showParameters,
    responses: { 200: cluster, ...failureResponses },
  },
})
