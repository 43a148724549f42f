import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { listParameters, showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links, listOf } from '../wire-schemas.ts'

const node = v.pipe(
  v.partial(v.object({ uuid: v.string(), name: v.string(), state: v.string(), _links: links })),
  v.title('StorageNode'),
)

const tags = ['cluster']
const PATH = '/api/cluster/nodes'

export const nodeOperations = defineContract({
  listNodes: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists nodes',
    query: listParameters(['uuid', 'name', 'state']),
    responses: { 200: listOf(node), ...failureResponses },
  },
  getNode: {
    method: 'GET',
    path: `${PATH}/{uuid}`,
    tags,
    summary: 'Reads a node',
    params: v.object({ uuid: v.string() }),
    query: showParameters,
    responses: { 200: node, ...failureResponses },
  },
})
