import type { Storage } from '../../create-storage.ts'
import { type Split, type SplitField, type SplitId, splitFields } from '../../splits/split.ts'
import type { Caller } from '../access/caller.ts'
import { isSelected, type Selection, type WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { svmToWire, volumeReference } from '../references.ts'
import { timeToWire } from '../time-to-wire.ts'
import { formatDuration } from '../tokens/duration.ts'

export const SPLITS_PATH = '/api/storage/file/clone/splits'

export const splitPath = ({ uuid }: Pick<Split, 'uuid'>): string => `${SPLITS_PATH}/${uuid}`

/** Returns a split without its place among the waiting ones. */
export function splitToWire(split: Split, { links }: Caller): WireRecord {
  const { uuid, svm, volume, node, path, size, remaining, state, rate, reason, startedAt } = split
  return {
    uuid,
    svm: svmToWire(svm, links),
    volume: volumeReference(volume, links),
    node: { ...node, ...(links && { _links: links(`/api/cluster/nodes/${node.uuid}`) }) },
    path,
    size,
    state,
    bytes: { total: size, done: size - remaining, left: remaining },
    ...(rate !== undefined && { time_left: formatDuration(Math.ceil(remaining / rate)) }),
    ...(reason !== undefined && { reason }),
    start_time: timeToWire(startedAt),
    ...(links && { _links: links(splitPath(split)) }),
  }
}

/** Reads the orders of each volume once for the records of one answer. */
export function splitOrders({ splits }: Pick<Storage, 'splits'>) {
  const queues = new Map<string, Promise<ReadonlyMap<SplitId, number>>>()
  const ordersOf = async (volume: Split['volume']) =>
    new Map((await splits.queue(volume.uuid)).map((uuid, index) => [uuid, index + 1]))
  return async ({ uuid, volume, state }: Split): Promise<number | undefined> => {
    if (state !== 'waiting') return undefined
    const known = queues.get(volume.uuid) ?? ordersOf(volume)
    queues.set(volume.uuid, known)
    return (await known).get(uuid)
  }
}

/** The source of the records of one answer. */
export function splitSource(storage: Pick<Storage, 'splits'>): RecordSource<Split, SplitField> {
  const { splits } = storage
  const orderOf = splitOrders(storage)
  return {
    records: {
      path: SPLITS_PATH,
      catalogue: splitFields,
      fields: {
        uuid: { field: 'uuid' },
        'svm.uuid': { field: 'svmUuid' },
        'svm.name': { field: 'svmName' },
        'volume.uuid': { field: 'volumeUuid' },
        'volume.name': { field: 'volumeName' },
        'node.uuid': { field: 'nodeUuid' },
        'node.name': { field: 'nodeName' },
        path: { field: 'path' },
        size: { field: 'size' },
        state: { field: 'state' },
        'bytes.total': { field: 'size' },
        'bytes.left': { field: 'remaining' },
        reason: { field: 'reason' },
        start_time: { field: 'startedAt' },
      },
      computed: new Set(['order', 'bytes', 'time_left']),
    },
    list: (request) => asResult(splits.list(request)),
    count: (query) => asResult(splits.count(query)),
    toWire: async (split, caller, selection: Selection) => {
      const order = isSelected(selection, 'order') ? await orderOf(split) : undefined
      return { ...splitToWire(split, caller), ...(order !== undefined && { order }) }
    },
    belonging: { to: 'volume', volume: 'volumeUuid', svm: 'svmUuid' },
  }
}
