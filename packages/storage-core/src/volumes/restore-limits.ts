import type { JobEnd } from '../jobs/job-repository.ts'
import { type QuotaTaskOptions, refusalToFailure, success } from '../quotas/quota-tasks.ts'
import { type InspectVolumeOptions, inspectVolume, storeCondition } from './inspect-volume.ts'

/** Sets the limits that a file system has lost, and leaves the others unchanged. */
export async function restoreLimits(options: QuotaTaskOptions & InspectVolumeOptions): Promise<JobEnd> {
  const { volume, backend, emit } = options
  const restore = async (): Promise<JobEnd> => {
    const lost = await storeCondition(options, await inspectVolume(options))
    if (lost.length === 0) return success
    await backend.changeLimits({ clear: [], set: lost })
    emit('quota.limits-restored', { uuid: volume.uuid, name: volume.name }, lost)
    await storeCondition(options, await inspectVolume(options))
    return success
  }
  return refusalToFailure('quota-enable-failed', restore())
}
