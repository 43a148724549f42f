import { err, ok, type Result } from 'neverthrow'
import type { Storage } from '../../create-storage.ts'
import type { Alternative, FilterError } from '../../query/parse-filter.ts'
import { parseBoolean } from '../../query/parse-value.ts'
import { type Volume, type VolumeField, volumeFields } from '../../volumes/volume.ts'
import { isSelected, type WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { constant } from '../collections/wire-field.ts'
import { svmToWire, volumeReference } from '../references.ts'
import { formatDuration, parseDurationFilter } from '../tokens/duration.ts'

export const VOLUMES_PATH = '/api/storage/volumes'

export const volumePath = ({ uuid }: Volume): string => `${VOLUMES_PATH}/${uuid}`

/** Members that volumes of ONTAP have and that are always absent here. Filters and orders may name them. */
const absent: ReadonlySet<string> = new Set([
  ...['access_time_enabled', 'activity_tracking', 'aggregates', 'analytics', 'anti_ransomware', 'application'],
  ...['asynchronous_directory_delete', 'autosize', 'clone', 'cloud_retrieval_policy', 'cloud_write_enabled', 'comment'],
  ...['consistency_group', 'constituents', 'convert_unicode', 'create_time', 'efficiency', 'encryption', 'error_state'],
  ...['files', 'flash_pool', 'flexcache_endpoint_type', 'flexgroup', 'granular_data', 'guarantee', 'is_object_store'],
  ...['language', 'max_dir_size', 'metric', 'movement', 'msid', 'nas', 'qos', 'queue_for_encryption', 'rebalancing'],
  ...['scheduled_snapshot_naming_scheme', 'snaplock', 'snapmirror', 'snapshot_count', 'snapshot_policy', 'status'],
  ...['snapshot_directory_access_enabled', 'snapshot_locking_enabled', 'statistics', 'tiering', 'svm_root'],
  ...['use_mirrored_aggregates', 'optimize_aggregates', '_tags'],
])

/** Parses a filter on whether a volume is a clone, which has a parent. */
function parseFlexcloneFilter(filter: string): Result<readonly Alternative[], FilterError> {
  const isClone = parseBoolean(filter)
  if (isClone === undefined) return err({ type: 'invalid-value', value: filter, expected: 'true or false' })
  return ok([{ negated: isClone, term: { kind: 'null' } }])
}

export function volumeSource({ volumes }: Storage): RecordSource<Volume, VolumeField> {
  const text = { type: 'string' } as const
  return {
    records: {
      path: VOLUMES_PATH,
      catalogue: volumeFields,
      fields: {
        uuid: { field: 'uuid' },
        name: { field: 'name' },
        'svm.uuid': { field: 'svmUuid' },
        'svm.name': { field: 'svmName' },
        'quota.state': { field: 'quotaState' },
        'quota.grace_period': { field: 'gracePeriodSeconds', parse: parseDurationFilter },
        quota: { field: 'quotaState' }, // the name of the object alone
        'clone.is_flexclone': { field: 'parentName', parse: parseFlexcloneFilter },
        'clone.parent_volume.uuid': { field: 'parentUuid' },
        'clone.parent_volume.name': { field: 'parentName' },
        'node.uuid': { field: 'nodeUuid' },
        'node.name': { field: 'nodeName' },
        state: { field: 'state' },
        style: constant('flexvol', text),
        type: constant('rw', text),
        is_svm_root: constant(false, { type: 'boolean' }),
        is_constituent: constant(false, { type: 'boolean' }),
      },
      listed: ['uuid', 'name'],
      computed: new Set(['size', 'space']),
      absent,
    },
    list: (request) => asResult(volumes.list(request)),
    count: (query) => asResult(volumes.count(query)),
    toWire: async (volume, { links }, selection): Promise<WireRecord> => {
      const { uuid, name, svm, node, state, quotaState, gracePeriodSeconds, parent } = volume
      const selectsSpace = isSelected(selection, 'space') || isSelected(selection, 'size')
      const space = selectsSpace ? await volumes.space(uuid) : undefined
      return {
        uuid,
        name,
        state,
        style: 'flexvol',
        type: 'rw',
        is_svm_root: false,
        is_constituent: false,
        svm: svmToWire(svm, links),
        node: { ...node, ...(links && { _links: links(`/api/cluster/nodes/${node.uuid}`) }) },
        quota: {
          state: quotaState,
          ...(gracePeriodSeconds !== undefined && { grace_period: formatDuration(gracePeriodSeconds) }),
        },
        clone: {
          is_flexclone: parent !== undefined,
          ...(parent && { parent_volume: volumeReference(parent, links), parent_svm: svmToWire(svm, links) }),
        },
        ...(space && { size: space.size, space }),
        ...(links && { _links: links(volumePath(volume)) }),
      }
    },
    belonging: { to: 'volume', volume: 'uuid', svm: 'svmUuid' },
  }
}
