import type { InstanceRecord } from '@trivium/emulation-core/ports'
import type { InstanceRow } from './emulation-tables.ts'

export function toRow({ id, projectId, kind, createdAt, revision, ...rest }: InstanceRecord): InstanceRow {
  return {
    id,
    project_id: projectId,
    kind,
    created_at: createdAt.getTime(),
    revision,
    document: JSON.stringify(rest),
  }
}

export function fromRow({ id, project_id, kind, created_at, revision, document }: InstanceRow): InstanceRecord {
  const { changedAt, ...rest } = JSON.parse(document)
  // `toRow` created the document from a record of that kind.
  return {
    ...rest,
    ...(changedAt && { changedAt: new Date(changedAt) }),
    id,
    projectId: project_id,
    kind,
    createdAt: new Date(created_at),
    revision,
  } as InstanceRecord
}
