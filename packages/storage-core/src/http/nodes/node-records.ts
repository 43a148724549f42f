import type { Storage } from '../../create-storage.ts'
import type { StorageNode } from '../../nodes/storage-node.ts'
import { compileQuery } from '../../query/compile-query.ts'
import { defineFields } from '../../query/field-catalogue.ts'
import { pageInMemory } from '../../query/page-in-memory.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { constant } from '../collections/wire-field.ts'

const NODES_PATH = '/api/cluster/nodes'

const catalogue = defineFields<StorageNode>()(
  {
    uuid: { type: 'uuid', read: ({ uuid }) => uuid },
    name: { type: 'string', read: ({ name }) => name },
  },
  ['uuid'],
)

type NodeField = keyof typeof catalogue.fields

export function nodeSource({ nodes }: Storage): RecordSource<StorageNode, NodeField> {
  return {
    records: {
      path: NODES_PATH,
      catalogue,
      fields: { uuid: { field: 'uuid' }, name: { field: 'name' }, state: constant('up', { type: 'string' }) },
      listed: ['uuid', 'name'],
      absent: new Set([
        ...['cluster_interfaces', 'controller', 'date', 'ha', 'hw_assist', 'location', 'management_interfaces'],
        ...['membership', 'metric', 'model', 'nvram', 'owner', 'serial_number', 'service_processor', 'statistics'],
        ...['storage_configuration', 'system_id', 'uptime', 'vendor_serial_number', 'version', 'vm'],
      ]),
    },
    list: (request) => asResult(nodes.list().then((all) => pageInMemory(catalogue, all, request))),
    count: (query) => asResult(nodes.list().then((all) => all.filter(compileQuery(catalogue, query)).length)),
    toWire: ({ uuid, name }, { links }) => ({
      uuid,
      name,
      state: 'up',
      ...(links && { _links: links(`${NODES_PATH}/${uuid}`) }),
    }),
    belonging: { to: 'node', node: 'uuid' },
  }
}
