import { defineFields } from '../query/field-catalogue.ts'
import { type Notice, noticeKinds } from './notice.ts'

/** A notice of the log. */
export interface StoredNotice {
  /** Larger than those of all notices that were published before. */
  readonly number: number
  readonly notice: Notice
}

/** The types of the fields of a stored notice, and how they are read. */
export const noticeFields = defineFields<StoredNotice>()(
  {
    number: { type: 'integer', read: ({ number }) => number },
    id: { type: 'string', read: ({ notice }) => notice.id },
    kind: { type: 'enum', values: noticeKinds, read: ({ notice }) => notice.kind },
    at: { type: 'date', read: ({ notice }) => notice.at.getTime() },
    svmUuid: { type: 'uuid', read: ({ notice }) => notice.svm?.uuid },
    svmName: { type: 'string', read: ({ notice }) => notice.svm?.name },
    volumeUuid: { type: 'uuid', read: ({ notice }) => notice.volume?.uuid },
    volumeName: { type: 'string', read: ({ notice }) => notice.volume?.name },
  },
  ['number'],
)

/** The fields that queries and orders of notices can name. */
export type NoticeField = keyof typeof noticeFields.fields
