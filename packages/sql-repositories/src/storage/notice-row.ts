import type { Notice, StoredNotice } from '@trivium/storage-core'
import { type NoticeField, noticeFields } from '@trivium/storage-core/ports'
import type { RecordSource } from './queries/record-source.ts'
import type { NoticeRow } from './storage-tables.ts'
import { fromStored } from './stored-size.ts'

export const noticeSource: RecordSource<StoredNotice, NoticeField, NoticeRow> = {
  table: 'storage_notices',
  catalogue: noticeFields,
  optional: ['svmUuid', 'svmName', 'volumeUuid', 'volumeName'],
  fromRow: ({ number, document }) => ({ number, notice: parseNotice(document) }),
}

export function toRow(notice: Notice): Omit<NoticeRow, 'number'> {
  return {
    id: notice.id,
    kind: notice.kind,
    at: notice.at.getTime(),
    svm_uuid: notice.svm?.uuid ?? null,
    svm_name: notice.svm?.name ?? null,
    volume_uuid: notice.volume?.uuid ?? null,
    volume_name: notice.volume?.name ?? null,
    // A limit that a number would round is a text.
    document: JSON.stringify(notice, (_name, value) => (typeof value === 'bigint' ? String(value) : value)),
  }
}

export function parseNotice(document: string): Notice {
  const { at, graceEndsAt, allowed, ...notice } = JSON.parse(document)
  return {
    ...notice,
    at: new Date(at),
    ...(allowed !== undefined && { allowed: fromStored(allowed) }),
    ...(graceEndsAt !== undefined && { graceEndsAt: new Date(graceEndsAt) }),
  }
}
