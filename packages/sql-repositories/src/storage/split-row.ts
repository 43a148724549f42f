import type { Split } from '@trivium/storage-core'
import type { CloneTokenId, NodeId, SplitId, SplitState, SvmId, VolumeId } from '@trivium/storage-core/ports'
import type { SplitRow } from './storage-tables.ts'

/** The row of a new split, without an owner. It can be claimed once it has an identity. */
export function toRow(split: Split, place: number): SplitRow {
  return {
    uuid: split.uuid,
    svm_uuid: split.svm.uuid,
    svm_name: split.svm.name,
    volume_uuid: split.volume.uuid,
    volume_name: split.volume.name,
    node_uuid: split.node.uuid,
    node_name: split.node.name,
    path: split.path,
    identity: split.identity ?? null,
    size: split.size,
    remaining: split.remaining,
    position: split.position,
    token: split.token ?? null,
    started_at: split.startedAt.getTime(),
    owner: null,
    free_at: 0,
    state: split.state,
    place,
    rate: split.rate ?? null,
    reason: split.reason ?? null,
  }
}

export function fromRow(row: SplitRow): Split {
  return {
    // Ids are stored as they were in the split.
    uuid: row.uuid as SplitId,
    svm: { uuid: row.svm_uuid as SvmId, name: row.svm_name },
    volume: { uuid: row.volume_uuid as VolumeId, name: row.volume_name },
    node: { uuid: row.node_uuid as NodeId, name: row.node_name },
    path: row.path,
    ...(row.identity !== null && { identity: row.identity }),
    size: row.size,
    remaining: row.remaining,
    position: row.position,
    ...(row.token !== null && { token: row.token as CloneTokenId }),
    startedAt: new Date(row.started_at),
    state: row.state as SplitState, // as it was in the split
    ...(row.rate !== null && { rate: row.rate }),
    ...(row.reason !== null && { reason: row.reason }),
  }
}
