import type { Storage } from '../../create-storage.ts'
import { compileQuery } from '../../query/compile-query.ts'
import { defineFields } from '../../query/field-catalogue.ts'
import { pageInMemory } from '../../query/page-in-memory.ts'
import type { Svm } from '../../svms/svm.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { constant } from '../collections/wire-field.ts'
import { svmToWire } from '../references.ts'

const SVMS_PATH = '/api/svm/svms'

const catalogue = defineFields<Svm>()(
  {
    uuid: { type: 'uuid', read: ({ uuid }) => uuid },
    name: { type: 'string', read: ({ name }) => name },
  },
  ['uuid'],
)

type SvmField = keyof typeof catalogue.fields

export function svmSource({ svms }: Storage): RecordSource<Svm, SvmField> {
  return {
    records: {
      path: SVMS_PATH,
      catalogue,
      fields: {
        uuid: { field: 'uuid' },
        name: { field: 'name' },
        state: constant('running', { type: 'string' }),
        subtype: constant('default', { type: 'string' }),
      },
      listed: ['uuid', 'name'],
      absent: new Set([
        ...['aggregates', 'aggregates_delegated', 'anti_ransomware_default_volume_state', 'certificate', 'cifs'],
        ...['comment', 'dns', 'fc_interfaces', 'fcp', 'ip_interfaces', 'ipspace', 'iscsi', 'language', 'ldap'],
        ...['max_volumes', 'ndmp', 'nfs', 'nis', 'nsswitch', 'nvme', 'qos_policy', 'routes', 's3', 'snapmirror'],
        ...[
          'snapshot_policy',
          'storage',
          'number_of_volumes_in_recovery_queue',
          'retention_period',
          'is_space_reporting_logical',
        ],
      ]),
    },
    list: (request) => asResult(svms.list().then((all) => pageInMemory(catalogue, all, request))),
    count: (query) => asResult(svms.list().then((all) => all.filter(compileQuery(catalogue, query)).length)),
    toWire: (svm, { links }) => {
      const { _links, ...known } = { _links: undefined, ...svmToWire(svm, links) }
      return { ...known, state: 'running', subtype: 'default', ...(_links && { _links }) }
    },
    belonging: { to: 'svm', svm: 'uuid' },
  }
}
