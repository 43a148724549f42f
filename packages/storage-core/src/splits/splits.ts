import { err, ok, ResultAsync } from 'neverthrow'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { SplitStatus } from './split.ts'

/** Why the split status of a volume cannot be returned: the volume does not exist. */
export type SplitError = { readonly type: 'split-volume-not-found'; readonly volume: string }

/** The split status of the volumes. */
export interface Splits {
  /** Returns the status of every volume, also of those without unfinished splits. */
  status(): Promise<readonly SplitStatus[]>
  statusOf(volume: string): ResultAsync<SplitStatus, SplitError>
}

const MAXIMUM_VOLUMES = 10_000

export function createSplits({ splits, volumes }: Pick<StorageRepositories, 'splits' | 'volumes'>): Splits {
  const unfinished = async () => new Map((await splits.status()).map((status) => [status.volume.uuid, status]))
  return {
    status: async () => {
      const known = await unfinished()
      const { records } = await volumes.list({ query: { all: [] }, order: [], limit: MAXIMUM_VOLUMES })
      return records.map(({ uuid, name, svm }) => {
        return known.get(uuid) ?? { volume: { uuid, name }, svm, pendingSplits: 0, unsplitSize: 0 }
      })
    },
    statusOf: (uuid) =>
      // An id of a client is a text, and is looked up unchecked.
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
