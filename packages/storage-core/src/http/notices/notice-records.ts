import type { Result } from 'neverthrow'
import type { Storage } from '../../create-storage.ts'
import type { NoticeKind } from '../../notices/notice.ts'
import { type NoticeField, noticeFields, type StoredNotice } from '../../notices/stored-notice.ts'
import { type Alternative, type FilterError, parseFilter } from '../../query/parse-filter.ts'
import { kindNames, noticeData } from '../../webhooks/notice-body.ts'
import type { Caller } from '../access/caller.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { svmToWire, volumeReference } from '../references.ts'

export const NOTICES_PATH = '/api/support/events'

/** The kinds by their names on the wire. */
const kindsByName: ReadonlyMap<unknown, string> = new Map(Object.entries(kindNames).map(([kind, name]) => [name, kind]))

export const kindToWire = (kind: NoticeKind): string => kindNames[kind]

/** Parses a filter on kinds: names, negated or not, without patterns and comparisons. */
export function parseKindFilter(filter: string): Result<readonly Alternative[], FilterError> {
  return parseFilter(filter, { type: 'enum', values: Object.values(kindNames) }).map((alternatives) =>
    alternatives.map(({ negated, term }) => ({
      negated,
      term: term.kind === 'equals' ? { kind: 'equals', value: kindsByName.get(term.value) ?? '' } : term,
    })),
  )
}

export function noticeToWire({ number, notice }: StoredNotice, { links }: Caller): WireRecord {
  const { svm, volume } = notice
  return {
    index: number,
    id: notice.id,
    type: kindToWire(notice.kind),
    time: notice.at.toISOString(),
    ...noticeData(notice),
    ...(svm && { svm: svmToWire(svm, links) }),
    ...(volume && { volume: volumeReference(volume, links) }),
  }
}

export const noticeSource = ({ notices }: Storage): RecordSource<StoredNotice, NoticeField> => ({
  records: {
    path: NOTICES_PATH,
    catalogue: noticeFields,
    fields: {
      index: { field: 'number' },
      id: { field: 'id' },
      type: { field: 'kind', parse: parseKindFilter },
      time: { field: 'at' },
      'svm.uuid': { field: 'svmUuid' },
      'svm.name': { field: 'svmName' },
      'volume.uuid': { field: 'volumeUuid' },
      'volume.name': { field: 'volumeName' },
    },
    computed: new Set([
      ...['rule', 'target', 'principal', 'limit', 'percent', 'used', 'allowed'],
      ...['grace_end_time', 'path', 'reason'],
    ]),
  },
  list: (request) => asResult(notices.list(request)),
  count: (query) => asResult(notices.count(query)),
  toWire: noticeToWire,
  belonging: { to: 'volume', volume: 'volumeUuid', svm: 'svmUuid' },
})
