import { err, ok, ResultAsync } from 'neverthrow'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { VolumeId } from '../volumes/volume.ts'
import { type RequestSplit, type RequestSplitError, type RequestSplitOptions, requestSplit } from './request-split.ts'
import type { Split, SplitField, SplitId, SplitStatus } from './split.ts'
import type { SplitWorker } from './split-worker.ts'

/** Why an operation on splits failed: the volume of a status does not exist, or the split has ended. */
export type SplitError =
  | { readonly type: 'split-volume-not-found'; readonly volume: string }
  | { readonly type: 'split-not-found'; readonly split: string }

/** The unfinished splits of all processes. */
export interface Splits {
  find(uuid: string): ResultAsync<Split, SplitError>
  list(request: PageRequest<SplitField>): Promise<Page<Split>>
  count(query: Query<SplitField>): Promise<number>
  /** Returns the splits of a volume that wait, in their order. At most 10,000. */
  queue(volume: VolumeId): Promise<readonly SplitId[]>
  /**
   * Asks for the split of a file, which may be a clone or its source. Its shared bytes are charged to the token or else
   * to the free split load of the node. Returns `undefined`, with nothing charged, when it shares no blocks.
   */
  request(request: RequestSplit): ResultAsync<Split | undefined, RequestSplitError>
  /**
   * Pauses or resumes a split, and moves it in the order of its volume. A running one pauses after its slice, in any
   * process. It keeps its load. One that is resumed is tried immediately, also if it had to wait before.
   */
  change(uuid: string, change: SplitChange): ResultAsync<void, SplitError>
  /**
   * Ends a split after its running slice, and returns what was not split to the load or the token. Blocks that are no
   * longer shared stay so.
   */
  cancel(uuid: string): ResultAsync<Split, SplitError>
  /** Returns the status of every volume, also of those without unfinished splits. */
  status(): Promise<readonly SplitStatus[]>
  statusOf(volume: string): ResultAsync<SplitStatus, SplitError>
}

/** What is changed about a split. */
export interface SplitChange {
  /** `waiting` resumes a paused split. @default unchanged */
  readonly state?: 'waiting' | 'paused'
  /** The new place among the waiting splits of the volume, counted from 1. @default unchanged */
  readonly order?: number
}

export interface SplitsOptions extends RequestSplitOptions {
  readonly worker: Pick<SplitWorker, 'wake' | 'retry'>
}

const MAXIMUM_VOLUMES = 10_000
/** The most waiting splits of a volume whose order is read. */
const MAXIMUM_QUEUE = 10_000

export function createSplits({ worker, ...options }: SplitsOptions): Splits {
  const { repositories, now, emit } = options
  const { splits, volumes } = repositories
  const unfinished = async () => new Map((await splits.status()).map((status) => [status.volume.uuid, status]))
  const notFound = (split: string) => err({ type: 'split-not-found', split } as const)
  // An id of a client is a text, and is looked up unchecked.
  const find = (uuid: string): ResultAsync<Split, SplitError> =>
    ResultAsync.fromSafePromise(splits.find(uuid as SplitId)).andThen((split) => (split ? ok(split) : notFound(uuid)))

  async function change({ uuid, volume }: Split, { state, order }: SplitChange): Promise<void> {
    if (order !== undefined) await splits.move(uuid, order)
    const isChanged = state === 'paused' ? await splits.pause(uuid) : state === 'waiting' && (await splits.resume(uuid))
    if (!isChanged) return
    const split = await splits.find(uuid)
    if (split) emit(state === 'paused' ? 'split.paused' : 'split.resumed', split)
    if (state === 'waiting') worker.retry(volume.uuid)
  }

  return {
    find,
    list: (request) => splits.list(request),
    count: (query) => splits.count(query),
    queue: (volume) => splits.queue(volume, MAXIMUM_QUEUE),
    request: (request) =>
      new ResultAsync(requestSplit(options, request)).map((split) => {
        if (split) worker.wake()
        return split
      }),
    change: (uuid, wanted) => find(uuid).andThen((split) => ResultAsync.fromSafePromise(change(split, wanted))),
    cancel: (uuid) =>
      ResultAsync.fromSafePromise(splits.cancel(uuid as SplitId, now())).andThen((cancelled) => {
        if (!cancelled) return notFound(uuid)
        emit('split.cancelled', cancelled)
        return ok(cancelled)
      }),
    status: async () => {
      const known = await unfinished()
      const { records } = await volumes.list({ query: { all: [] }, order: [], limit: MAXIMUM_VOLUMES })
      return records.map(({ uuid, name, svm }) => {
        return known.get(uuid) ?? { volume: { uuid, name }, svm, pendingSplits: 0, unsplitSize: 0 }
      })
    },
    statusOf: (uuid) =>
      ResultAsync.fromSafePromise(Promise.all([volumes.find(uuid as VolumeId), unfinished()])).andThen(
        ([volume, known]) => {
          if (!volume) return err({ type: 'split-volume-not-found', volume: uuid } as const)
          const { svm, name } = volume
          const idle = { volume: { uuid: volume.uuid, name }, svm, pendingSplits: 0, unsplitSize: 0 }
          return ok(known.get(volume.uuid) ?? idle)
        },
      ),
  }
}
