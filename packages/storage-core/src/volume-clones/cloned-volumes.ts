import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Job } from '../jobs/job.ts'
import type { JobLabel, JobQueue, Jobs } from '../jobs/jobs.ts'
import { unfinishedJobs } from '../jobs/unfinished-jobs.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { Svm } from '../svms/svm.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import { type FindVolumeError, findVolume, type Named, type NamedVolume } from '../volumes/find-volume.ts'
import { cloneLane, quotaLane } from '../volumes/lanes.ts'
import type { Volume, VolumeId } from '../volumes/volume.ts'

/** A storage has no more clones of volumes than these. */
export const MAXIMUM_VOLUME_CLONES = 100

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,202}$/

/** Why a clone of a volume was refused. Later failures are in the job. */
export type VolumeCloneError =
  | FindVolumeError
  | { readonly type: 'invalid-volume-name'; readonly name: string }
  | { readonly type: 'volume-exists'; readonly name: string }
  | { readonly type: 'too-many-volume-clones'; readonly maximum: number }
  /** A clone is in the SVM of its parent. */
  | { readonly type: 'clone-in-other-svm'; readonly svm: string }
  /** Its file system has no clones of volumes, the host allows none, or another process serves it. */
  | { readonly type: 'volume-not-cloneable'; readonly volume: string }
  | { readonly type: 'volume-uuid-not-found'; readonly volume: string }
  /** Only clones are deleted. */
  | { readonly type: 'volume-not-a-clone'; readonly volume: string }
  /** Jobs of the clone have not ended. */
  | { readonly type: 'volume-in-use'; readonly volume: string }

/** The clones of volumes, which are volumes of their own. */
export interface ClonedVolumes {
  /** Stores a volume, and starts the job that makes it. Its limits are not those of its parent: it has no rules. */
  create(request: CreateVolumeClone, label?: JobLabel): ResultAsync<ChangedVolume, VolumeCloneError>
  /** Deletes a clone with its files and its rules. */
  delete(volume: string, label?: JobLabel): ResultAsync<ChangedVolume, VolumeCloneError>
}

/** A new clone, in the SVM of its parent. */
export interface CreateVolumeClone {
  /** A letter or `_`, and at most 202 letters, digits and `_`. Unique in its SVM. */
  readonly name: string
  /** Required. */
  readonly svm?: Named
  readonly parent: Named
  /** Has to be the SVM of the clone. @default not compared */
  readonly parentSvm?: Named
  /** The volumes among which the parent is. @default every volume */
  readonly among?: NamedVolume['among']
}

/** A clone that is made or deleted by a job. */
export interface ChangedVolume {
  readonly volume: Volume
  readonly job: Job
}

export interface ClonedVolumesOptions {
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
  readonly jobs: Jobs & JobQueue
  readonly newId: () => string
}

export function createClonedVolumes({ repositories, attached, jobs, newId }: ClonedVolumesOptions): ClonedVolumes {
  const { volumes } = repositories

  async function create(
    { name, svm, parent: named, parentSvm, among }: CreateVolumeClone,
    label?: JobLabel,
  ): Promise<Result<ChangedVolume, VolumeCloneError>> {
    const request = { volume: named, ...(svm && { svm }), ...(among && { among }) }
    const found = await findVolume(repositories, request, { needsSvm: true })
    if (found.isErr()) return err(found.error)
    const parent = found.value
    if (parentSvm && !isNamed(parent.svm, parentSvm)) {
      return err({ type: 'clone-in-other-svm', svm: parentSvm.name ?? parentSvm.uuid ?? '' } as const)
    }
    if (!NAME.test(name)) return err({ type: 'invalid-volume-name', name } as const)
    if (!attached.backend(parent.uuid)?.volumeClones) {
      return err({ type: 'volume-not-cloneable', volume: parent.name } as const)
    }
    if ((await volumes.count({ all: [{ any: [isClone] }] })) >= MAXIMUM_VOLUME_CLONES) {
      return err({ type: 'too-many-volume-clones', maximum: MAXIMUM_VOLUME_CLONES } as const)
    }
    const draft: Volume = {
      uuid: newId() as VolumeId, // ids are opaque texts
      name,
      svm: parent.svm,
      node: parent.node,
      state: 'offline',
      quotaState: 'off',
      parent: { uuid: parent.uuid, name: parent.name },
    }
    const volume = await volumes.register(draft)
    if (volume.uuid !== draft.uuid) return err({ type: 'volume-exists', name } as const)
    const clone = { id: volume.uuid, name }
    const job = await jobs.submit({
      ...label,
      task: { kind: 'clone-volume', volume: parent.uuid, clone },
      lane: quotaLane(parent.uuid),
      svm: parent.svm,
      node: parent.node,
    })
    return ok({ volume, job })
  }

  async function remove(uuid: string, label?: JobLabel): Promise<Result<ChangedVolume, VolumeCloneError>> {
    const volume = await volumes.find(uuid as VolumeId) // an id of a client
    if (!volume) return err({ type: 'volume-uuid-not-found', volume: uuid } as const)
    const { parent, name, svm, node } = volume
    if (!parent) return err({ type: 'volume-not-a-clone', volume: name } as const)
    for (const lane of [quotaLane(volume.uuid), cloneLane(volume.uuid)]) {
      if ((await unfinishedJobs(jobs, lane)).length > 0) return err({ type: 'volume-in-use', volume: name } as const)
    }
    const job = await jobs.submit({
      ...label,
      task: { kind: 'remove-clone', volume: parent.uuid, clone: { id: volume.uuid, name } },
      lane: quotaLane(parent.uuid),
      svm,
      node,
    })
    return ok({ volume, job })
  }

  return {
    create: (request, label) => new ResultAsync(create(request, label)),
    delete: (volume, label) => new ResultAsync(remove(volume, label)),
  }
}

const isNamed = (svm: Svm, { uuid = svm.uuid, name = svm.name }: Named): boolean =>
  uuid === svm.uuid && name === svm.name

const isClone = { field: 'parentUuid', negated: true, term: { kind: 'null' } } as const
