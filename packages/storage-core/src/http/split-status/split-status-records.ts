import type { Storage } from '../../create-storage.ts'
import { compileQuery } from '../../query/compile-query.ts'
import { defineFields } from '../../query/field-catalogue.ts'
import { pageInMemory } from '../../query/page-in-memory.ts'
import type { SplitStatus } from '../../splits/split.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { svmToWire, volumeReference } from '../references.ts'

const SPLIT_STATUS_PATH = '/api/storage/file/clone/split-status'

const catalogue = defineFields<SplitStatus>()(
  {
    volumeUuid: { type: 'uuid', read: ({ volume }) => volume.uuid },
    volumeName: { type: 'string', read: ({ volume }) => volume.name },
    svmUuid: { type: 'uuid', read: ({ svm }) => svm.uuid },
    svmName: { type: 'string', read: ({ svm }) => svm.name },
    pendingSplits: { type: 'integer', read: ({ pendingSplits }) => pendingSplits },
    unsplitSize: { type: 'integer', read: ({ unsplitSize }) => unsplitSize },
  },
  ['volumeUuid'],
)

type SplitStatusField = keyof typeof catalogue.fields

export function splitStatusSource({ splits }: Storage): RecordSource<SplitStatus, SplitStatusField> {
  return {
    records: {
      path: SPLIT_STATUS_PATH,
      catalogue,
      fields: {
        'volume.uuid': { field: 'volumeUuid' },
        'volume.name': { field: 'volumeName' },
        'svm.uuid': { field: 'svmUuid' },
        'svm.name': { field: 'svmName' },
        pending_splits: { field: 'pendingSplits' },
        unsplit_size: { field: 'unsplitSize' },
      },
    },
    list: (request) => asResult(splits.status().then((status) => pageInMemory(catalogue, status, request))),
    count: (query) => asResult(splits.status().then((status) => status.filter(compileQuery(catalogue, query)).length)),
    toWire: ({ volume, svm, pendingSplits, unsplitSize }, { links }) => ({
      volume: volumeReference(volume, links),
      svm: svmToWire(svm, links),
      pending_splits: pendingSplits,
      unsplit_size: unsplitSize,
      ...(links && { _links: links(`${SPLIT_STATUS_PATH}/${volume.uuid}`) }),
    }),
    belonging: { to: 'volume', volume: 'volumeUuid', svm: 'svmUuid' },
  }
}
