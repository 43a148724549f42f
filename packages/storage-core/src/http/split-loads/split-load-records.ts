import type { Storage } from '../../create-storage.ts'
import { allowableLoad } from '../../nodes/allowable-load.ts'
import type { SplitLoad } from '../../nodes/storage-node.ts'
import { compileQuery } from '../../query/compile-query.ts'
import { defineFields } from '../../query/field-catalogue.ts'
import { pageInMemory } from '../../query/page-in-memory.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'

export const SPLIT_LOADS_PATH = '/api/storage/file/clone/split-loads'

const catalogue = defineFields<SplitLoad>()(
  {
    nodeUuid: { type: 'uuid', read: ({ node }) => node.uuid },
    nodeName: { type: 'string', read: ({ node }) => node.name },
    maximum: { type: 'integer', read: ({ maximum }) => maximum },
    current: { type: 'integer', read: ({ current }) => current },
    tokenReserved: { type: 'integer', read: ({ tokenReserved }) => tokenReserved },
    allowable: { type: 'integer', read: allowableLoad },
  },
  ['nodeUuid'],
)

type SplitLoadField = keyof typeof catalogue.fields

export function splitLoadSource({ nodes }: Storage): RecordSource<SplitLoad, SplitLoadField> {
  return {
    records: {
      path: SPLIT_LOADS_PATH,
      catalogue,
      fields: {
        'node.uuid': { field: 'nodeUuid' },
        'node.name': { field: 'nodeName' },
        'load.maximum': { field: 'maximum' },
        'load.current': { field: 'current' },
        'load.token_reserved': { field: 'tokenReserved' },
        'load.allowable': { field: 'allowable' },
      },
    },
    list: (request) => asResult(nodes.splitLoads().then((loads) => pageInMemory(catalogue, loads, request))),
    count: (query) => asResult(nodes.splitLoads().then((loads) => loads.filter(compileQuery(catalogue, query)).length)),
    toWire: (load, { links }) => ({
      node: {
        uuid: load.node.uuid,
        name: load.node.name,
        ...(links && { _links: links(`/api/cluster/nodes/${load.node.uuid}`) }),
      },
      load: {
        maximum: load.maximum,
        current: load.current,
        token_reserved: load.tokenReserved,
        allowable: allowableLoad(load),
      },
      ...(links && { _links: links(`${SPLIT_LOADS_PATH}/${load.node.uuid}`) }),
    }),
    belonging: { to: 'node', node: 'nodeUuid' },
  }
}
