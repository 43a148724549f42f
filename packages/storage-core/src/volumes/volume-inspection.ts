import type { Emit } from '../events/create-events.ts'
import type { JobQueue, Jobs } from '../jobs/jobs.ts'
import { unfinishedJobs } from '../jobs/unfinished-jobs.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { AbsentQtrees } from './absent-qtrees.ts'
import type { AttachedVolumes } from './attached-volumes.ts'
import { inspectVolume, storeCondition } from './inspect-volume.ts'
import { quotaLane } from './lanes.ts'
import type { Volume } from './volume.ts'

export interface VolumeInspectionOptions {
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
  readonly absent: AbsentQtrees
  readonly jobs: Jobs & JobQueue
  readonly emit: Emit
}

/**
 * Returns a function that inspects a volume, stores its condition, and starts a job that sets lost limits again. It
 * skips a volume whose quotas or qtrees a job is changing.
 */
export function createVolumeInspection({ repositories, attached, absent, jobs, emit }: VolumeInspectionOptions) {
  const isChanging = async ({ uuid }: Volume): Promise<boolean> =>
    (await unfinishedJobs(jobs, quotaLane(uuid))).length > 0

  return async (volume: Volume): Promise<void> => {
    const backend = attached.backend(volume.uuid)
    if (!backend || (await isChanging(volume))) return
    const options = { repositories, volume, backend, emit, absent }
    const condition = await inspectVolume(options)
    // A change in the meantime may have been seen in part only.
    if (await isChanging(volume)) return
    const lost = await storeCondition(options, condition)
    if (lost.length === 0) return
    const { uuid, svm, node } = volume
    const task = { kind: 'restore-limits', volume: uuid } as const
    await jobs.submit({ description: 'Restore lost limits', task, lane: quotaLane(uuid), svm, node })
  }
}
