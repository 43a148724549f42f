import type { Storage } from '../../create-storage.ts'
import { compileQuery } from '../../query/compile-query.ts'
import { defineFields } from '../../query/field-catalogue.ts'
import { pageInMemory } from '../../query/page-in-memory.ts'
import type { Svm } from '../../svms/svm.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { constant } from '../collections/wire-field.ts'
import { svmToWire } from '../references.ts'

const SVMS_PATH = '/api/svm/svms'
/** The name of ONTAP's only IPspace. */
const IPSPACE = 'Default'
/** ONTAP's name of the policy that takes no snapshots. */
const SNAPSHOT_POLICY = 'none'

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
        'ipspace.name': constant(IPSPACE, { type: 'string' }),
        'snapshot_policy.name': constant(SNAPSHOT_POLICY, { type: 'string' }),
      },
      listed: ['uuid', 'name'],
      absent: new Set([
        ...['aggregates', 'aggregates_delegated', 'anti_ransomware_default_volume_state', 'certificate', 'cifs'],
        ...['comment', 'dns', 'fc_interfaces', 'fcp', 'ip_interfaces', 'iscsi', 'language', 'ldap'],
        ...['max_volumes', 'ndmp', 'nfs', 'nis', 'nsswitch', 'nvme', 'qos_policy', 'routes', 's3', 'snapmirror'],
        ...['storage', 'number_of_volumes_in_recovery_queue', 'retention_period', 'is_space_reporting_logical'],
      ]),
    },
    list: (request) => asResult(svms.list().then((all) => pageInMemory(catalogue, all, request))),
    count: (query) => asResult(svms.list().then((all) => all.filter(compileQuery(catalogue, query)).length)),
    toWire: (svm, { links }) => {
      const { _links, ...known } = { _links: undefined, ...svmToWire(svm, links) }
      const policies = { ipspace: { name: IPSPACE }, snapshot_policy: { name: SNAPSHOT_POLICY } }
      // Ansible reads the list of aggregates and both names unchecked.
      return { ...known, state: 'running', subtype: 'default', aggregates: [], ...policies, ...(_links && { _links }) }
    },
    belonging: { to: 'svm', svm: 'uuid' },
  }
}
