import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { changeParameters, listParameters, showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links, listOf, reference, size } from '../wire-schemas.ts'

const splitLoad = v.pipe(
  v.partial(
    v.object({
      node: reference,
      load: v.partial(
        v.object({ maximum: v.number(), current: v.number(), token_reserved: v.number(), allowable: v.number() }),
      ),
      _links: links,
    }),
  ),
  v.title('SplitLoad'),
)

const tags = ['clone splits']
const PATH = '/api/storage/file/clone/split-loads'
const instance = `${PATH}/{node_uuid}` as const
const params = v.object({ node_uuid: v.string() })
const fields = ['node.uuid', 'node.name', 'load.maximum', 'load.current', 'load.token_reserved', 'load.allowable']

export const splitLoadOperations = defineContract({
  listSplitLoads: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists the split loads of nodes',
    query: listParameters(fields),
    responses: { 200: listOf(splitLoad), ...failureResponses },
  },
  getSplitLoad: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Reads the split load of a node',
    params,
    query: showParameters,
    responses: { 200: splitLoad, ...failureResponses },
  },
  updateSplitLoad: {
    method: 'PATCH',
    path: instance,
    tags,
    summary: 'Changes the maximum split load of a node, from 4KB to 675TB',
    params,
    query: changeParameters,
    body: v.strictObject({ load: v.strictObject({ maximum: size }) }),
    responses: { 200: v.object({}), ...failureResponses },
  },
})
