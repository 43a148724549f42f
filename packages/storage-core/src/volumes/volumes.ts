import { err, ok, ResultAsync } from 'neverthrow'
import type { Job } from '../jobs/job.ts'
import type { JobDraft, JobLabel, JobQueue, Jobs } from '../jobs/jobs.ts'
import { unfinishedJobs } from '../jobs/unfinished-jobs.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import { checkGracePeriod, type NotificationError } from '../quota-rules/check-notifications.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { AttachedVolumes } from './attached-volumes.ts'
import { quotaLane } from './lanes.ts'
import type { Volume, VolumeField, VolumeId } from './volume.ts'
import type { VolumeSpace } from './volume-backend.ts'
import { isVolumeRefusal } from './volume-refusal.ts'

/** Why an operation on a volume failed: no volume has the given UUID, or a grace period is out of range. */
export type VolumeError =
  | { readonly type: 'volume-uuid-not-found'; readonly volume: string }
  | Extract<NotificationError, { type: 'grace-period-out-of-range' }>

/** The volumes of all processes. */
export interface Volumes {
  find(uuid: string): ResultAsync<Volume, VolumeError>
  list(request: PageRequest<VolumeField>): Promise<Page<Volume>>
  count(query: Query<VolumeField>): Promise<number>
  /** @returns `undefined` when the file system is attached to another process or is unavailable */
  space(volume: VolumeId): Promise<VolumeSpace | undefined>
  /**
   * Switches quotas on, which scans the volume, or off, which ends such a scan. Without effect when quotas already are
   * in that state.
   */
  setQuota(uuid: string, enabled: boolean, label?: JobLabel): ResultAsync<Job, VolumeError>
  /**
   * Sets the grace period of rules without one, in seconds from 1 to 315,360,000. `null` removes it: soft limits then
   * only notify.
   *
   * @returns a job that has already ended
   */
  setGracePeriod(uuid: string, seconds: number | null, label?: JobLabel): ResultAsync<Job, VolumeError>
}

export interface VolumesOptions {
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
  readonly jobs: Jobs & JobQueue
  /** Called with a volume whose grace period has changed. */
  readonly onGraceChanged: (volume: VolumeId) => void
}

export function createVolumes({ repositories, attached, jobs, onGraceChanged }: VolumesOptions): Volumes {
  const { volumes } = repositories
  const find = (uuid: string): ResultAsync<Volume, VolumeError> =>
    // An id of a client is a text, and is looked up unchecked.
    ResultAsync.fromSafePromise(volumes.find(uuid as VolumeId)).andThen((volume) =>
      volume ? ok(volume) : err({ type: 'volume-uuid-not-found', volume: uuid } as const),
    )

  async function setQuota(volume: Volume, enabled: boolean, label?: JobLabel): Promise<Job> {
    const draft: JobDraft = {
      ...label,
      task: { kind: enabled ? 'enable-quota' : 'disable-quota', volume: volume.uuid },
      lane: quotaLane(volume.uuid),
      svm: volume.svm,
      node: volume.node,
    }
    const waiting = await unfinishedJobs(jobs, draft.lane)
    const of = (kind: Job['task']['kind']) => waiting.filter(({ task }) => task.kind === kind)
    if (enabled) {
      const [scan] = of('enable-quota')
      const isOn = volume.quotaState === 'on' || volume.quotaState === 'resizing'
      if (of('disable-quota').length === 0 && (isOn || scan)) return scan ?? jobs.record(draft)
    } else {
      const scans = of('enable-quota')
      if (volume.quotaState === 'off' && scans.length === 0) return jobs.record(draft)
      for (const { uuid } of scans) await jobs.cancel(uuid)
    }
    return jobs.submit(draft)
  }

  async function setGracePeriod({ uuid, svm, node }: Volume, seconds: number | null, label?: JobLabel): Promise<Job> {
    await volumes.changeGracePeriod(uuid, seconds ?? undefined)
    onGraceChanged(uuid)
    return jobs.record({
      ...label,
      task: { kind: 'enforce-grace', volume: uuid, targets: [] },
      lane: quotaLane(uuid),
      svm,
      node,
    })
  }

  return {
    find,
    list: (request) => volumes.list(request),
    count: (query) => volumes.count(query),
    space: async (volume) => {
      try {
        return await attached.backend(volume)?.space()
      } catch (error) {
        if (isVolumeRefusal(error)) return undefined
        throw error
      }
    },
    setQuota: (uuid, enabled, label) =>
      find(uuid).andThen((volume) => ResultAsync.fromSafePromise(setQuota(volume, enabled, label))),
    setGracePeriod: (uuid, seconds, label) =>
      find(uuid).andThen((volume) =>
        checkGracePeriod(seconds).asyncAndThen(() =>
          ResultAsync.fromSafePromise(setGracePeriod(volume, seconds, label)),
        ),
      ),
  }
}
