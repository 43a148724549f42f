import type { Emit } from './events/create-events.ts'
import { cloneFile } from './file-clones/clone-file.ts'
import type { Job } from './jobs/job.ts'
import type { JobEnd } from './jobs/job-repository.ts'
import type { JobContext } from './jobs/job-runner.ts'
import { createQtree, removeQtree, updateQtree } from './qtrees/qtree-tasks.ts'
import { disableQuota, enableQuota } from './quotas/enable-quota.ts'
import { enforceGrace } from './quotas/enforce-grace.ts'
import { changeState } from './quotas/quota-tasks.ts'
import { resizeQuota } from './quotas/resize-quota.ts'
import { resizeQuotas } from './quotas/resize-quotas.ts'
import type { StorageRepositories } from './storage-repositories.ts'
import { forgetVolume } from './volume-clones/forget-volume.ts'
import { cloneVolume, removeClone } from './volume-clones/volume-clone-tasks.ts'
import type { AbsentQtrees } from './volumes/absent-qtrees.ts'
import type { AttachedVolumes } from './volumes/attached-volumes.ts'
import { restoreLimits } from './volumes/restore-limits.ts'
import { restoreVolume } from './volumes/restore-volume.ts'
import type { ServedVolumes } from './volumes/served-volumes.ts'

export interface UndoTaskOptions {
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
  readonly now: () => Date
  readonly emit: Emit
}

export interface PerformTaskOptions extends UndoTaskOptions {
  readonly absent: AbsentQtrees
  readonly served: ServedVolumes
}

/** Performs the task of a job. */
export function performTask({ repositories, attached, absent, served, now, emit }: PerformTaskOptions) {
  return async ({ task }: Job, context: JobContext): Promise<JobEnd> => {
    const volume = await repositories.volumes.find(task.volume)
    const backend = attached.backend(task.volume)
    if (!volume || !backend) throw new Error(`Volume '${task.volume}' is not attached to this process`)
    const options = { repositories, volume, backend, context, absent, now, emit }
    switch (task.kind) {
      case 'enable-quota':
        return enableQuota(options)
      case 'disable-quota':
        return disableQuota(options)
      case 'restore-volume':
        return restoreVolume(options)
      case 'restore-limits':
        return restoreLimits(options)
      case 'enforce-grace':
        return enforceGrace(options, task)
      case 'resize-quota':
        return resizeQuota(options, task)
      case 'resize-quotas':
        return resizeQuotas(options)
      case 'create-qtree':
        return createQtree(options, task)
      case 'update-qtree':
        return updateQtree(options, task)
      case 'remove-qtree':
        return removeQtree(options, task)
      case 'clone-file':
        return cloneFile(options, task)
      case 'clone-volume':
        return cloneVolume({ ...options, served }, task)
      case 'remove-clone':
        return removeClone({ ...options, served }, task)
    }
  }
}

/** Undoes what a cancelled task has left. */
export async function undoTask(
  { repositories, attached, now, emit }: UndoTaskOptions,
  task: Job['task'],
): Promise<void> {
  switch (task.kind) {
    case 'enable-quota': {
      // A cancelled scan enforces nothing.
      const volume = await repositories.volumes.find(task.volume)
      if (volume) await changeState({ repositories, volume, emit }, ['initializing'], 'off')
      return
    }
    case 'create-qtree': {
      const qtree = await repositories.qtrees.find(task.volume, task.id)
      if (qtree?.name === task.name) await repositories.qtrees.remove(task.volume, task.id)
      return
    }
    case 'clone-volume':
      await forgetVolume(repositories, task.clone.id)
      return
    case 'clone-file':
      await repositories.splits.cancel(task.split, now())
      await attached.backend(task.volume)?.forgetClone({ id: task.split, destination: task.destination })
  }
}
