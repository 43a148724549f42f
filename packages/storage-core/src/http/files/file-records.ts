import type { VolumeFile } from '../../files/volume-file.ts'
import { defineFields } from '../../query/field-catalogue.ts'
import type { Caller } from '../access/caller.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import type { RecordSource } from '../collections/list-records.ts'
import { volumeReference } from '../references.ts'
import { splitPath } from '../splits/split-records.ts'
import { VOLUMES_PATH } from '../volumes/volume-records.ts'

const catalogue = defineFields<VolumeFile>()(
  {
    volumeUuid: { type: 'uuid', read: ({ volume }) => volume.uuid },
    path: { type: 'string', read: ({ path }) => path },
  },
  ['volumeUuid', 'path'],
)

type FileField = keyof typeof catalogue.fields

export const fileSource: Pick<RecordSource<VolumeFile, FileField>, 'records' | 'toWire'> = {
  records: {
    path: VOLUMES_PATH,
    catalogue,
    fields: { 'volume.uuid': { field: 'volumeUuid' }, path: { field: 'path' } },
    computed: new Set(['volume', 'name', 'type', 'size', 'unique_bytes', 'is_flexclone', 'split']),
  },
  toWire: fileToWire,
}

function fileToWire(file: VolumeFile, { links }: Caller): WireRecord {
  const { volume, path, kind, size, uniqueBytes, sharedBytes, split } = file
  return {
    volume: volumeReference(volume, links),
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    type: kind,
    ...(kind === 'file' && { size }),
    ...(uniqueBytes !== undefined && { unique_bytes: uniqueBytes }),
    ...(sharedBytes !== undefined && { is_flexclone: sharedBytes > 0 }),
    ...(split && {
      split: { uuid: split.uuid, state: split.state, ...(links && { _links: links(splitPath(split)) }) },
    }),
    ...(links && { _links: links(`${VOLUMES_PATH}/${volume.uuid}/files/${encodeURIComponent(path)}`) }),
  }
}
