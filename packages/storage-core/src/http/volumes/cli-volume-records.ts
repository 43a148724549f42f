import type { Storage } from '../../create-storage.ts'
import { percentOf } from '../../quota-reports/quota-report.ts'
import { type Volume, type VolumeField, volumeFields } from '../../volumes/volume.ts'
import type { VolumeSpace } from '../../volumes/volume-backend.ts'
import { isSelected } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { constant } from '../collections/wire-field.ts'

const spaceMembers = ['size', 'total', 'used', 'available', 'percent_used'] as const

/** Members that ONTAP's command line has and that are always absent here. Filters and orders may name them. */
const absent: ReadonlySet<string> = new Set([
  ...['aggr_list', 'autosize_mode', 'autosize_grow_threshold_percent', 'autosize_shrink_threshold_percent'],
  ...['clone_parent_name', 'clone_parent_vserver', 'clone_volume', 'compression_space_saved'],
  ...['compression_space_saved_percent', 'dedupe_space_saved', 'dedupe_space_saved_percent', 'expected_available'],
  ...['files', 'files_used', 'filesystem_size', 'is_encrypted', 'is_sis_volume', 'is_space_enforcement_logical'],
  ...['is_space_reporting_logical', 'junction_path', 'logical_available', 'logical_used', 'logical_used_by_afs'],
  ...['logical_used_by_snapshots', 'logical_used_percent', 'max_autosize', 'min_autosize', 'overwrite_reserve'],
  ...['overwrite_reserve_used', 'percent_snapshot_space', 'performance_tier_inactive_user_data', 'physical_used'],
  ...['performance_tier_inactive_user_data_percent', 'physical_used_percent', 'sis_space_saved', 'snaplock_type'],
  ...['sis_space_saved_percent', 'size_available_for_snapshots', 'size_used_by_snapshots', 'snapshot_count'],
  ...['snapshot_policy', 'snapshot_reserve_available', 'snapshot_reserve_size', 'snapshot_space_used'],
  ...['space_mgmt_try_first', 'tags', 'tiering_minimum_cooling_days', 'tiering_policy', 'virtual_used'],
  ...['virtual_used_percent'],
])

/** The volumes by the names of ONTAP's command line. A volume here has no reserve, so its total is its size. */
export function cliVolumeSource({ volumes }: Storage): RecordSource<Volume, VolumeField> {
  const flag = { type: 'boolean' } as const
  const text = { type: 'string' } as const
  return {
    records: {
      path: '/api/private/cli/volume',
      catalogue: volumeFields,
      fields: {
        vserver: { field: 'svmName' },
        volume: { field: 'name' },
        instance_uuid: { field: 'uuid' },
        nodes: { field: 'nodeName' },
        state: { field: 'state' },
        type: constant('rw', text),
        volume_style_extended: constant('flexvol', text),
        vsroot: constant(false, flag),
        is_constituent: constant(false, flag),
      },
      listed: ['vserver', 'volume'],
      computed: new Set(spaceMembers),
      absent,
    },
    list: (request) => asResult(volumes.list(request)),
    count: (query) => asResult(volumes.count(query)),
    toWire: async (volume, _caller, selection) => {
      const { uuid, name, svm, node, state } = volume
      const selectsSpace = spaceMembers.some((member) => isSelected(selection, member))
      const space = selectsSpace ? await volumes.space(uuid) : undefined
      return {
        vserver: svm.name,
        volume: name,
        instance_uuid: uuid,
        nodes: [node.name],
        state,
        type: 'rw',
        volume_style_extended: 'flexvol',
        vsroot: false,
        is_constituent: false,
        ...(space && spaceToWire(space)),
      }
    },
    belonging: { to: 'volume', volume: 'uuid', svm: 'svmUuid' },
  }
}

const spaceToWire = ({ size, used, available }: VolumeSpace) => ({
  size,
  total: size,
  used,
  available,
  percent_used: percentOf(used, size),
})
