import type { Emit } from '../events/create-events.ts'
import type { JobFailureType } from '../jobs/job.ts'
import type { JobEnd } from '../jobs/job-repository.ts'
import type { JobContext } from '../jobs/job-runner.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { type QuotaState, switchedOn, type Volume } from '../volumes/volume.ts'
import type { VolumeBackend } from '../volumes/volume-backend.ts'
import { isVolumeRefusal } from '../volumes/volume-refusal.ts'
import type { EnforcedQuota } from './enforced-quota.ts'

/** The inputs of the tasks that change the quotas of a volume. */
export interface QuotaTaskOptions {
  readonly repositories: StorageRepositories
  readonly volume: Volume
  readonly backend: VolumeBackend
  readonly context: JobContext
  readonly emit: Emit
}

export const success: JobEnd = { state: 'success' }

export const failure = (type: JobFailureType, message: string): JobEnd => ({
  state: 'failure',
  failure: { type, message },
})

/** Converts a refusal of a backend to a failure. Faults and aborts stay rejections. */
export async function refusalToFailure(
  type: JobFailureType,
  work: Promise<JobEnd>,
  signal?: AbortSignal,
): Promise<JobEnd> {
  try {
    return await work
  } catch (error) {
    if (signal?.aborted || !isVolumeRefusal(error)) throw error
    return failure(error.limits.length > 0 ? 'quota-unsupported' : type, error.message)
  }
}

export async function changeState(
  { repositories, volume, emit }: Pick<QuotaTaskOptions, 'repositories' | 'volume' | 'emit'>,
  from: readonly QuotaState[],
  to: QuotaState,
): Promise<boolean> {
  const changed = await repositories.volumes.changeQuotaState(volume.uuid, from, to)
  if (changed) emit('quota.state-changed', { uuid: volume.uuid, name: volume.name }, to)
  return changed
}

/** Does work while the state of the volume is `resizing`. Without effect, as a success, while quotas are off. */
export async function whileResizing(options: QuotaTaskOptions, work: () => Promise<JobEnd>): Promise<JobEnd> {
  const { repositories, volume } = options
  const { quotaState } = (await repositories.volumes.find(volume.uuid)) ?? volume
  const before = quotaState === 'resizing' ? 'on' : quotaState
  if (!(await changeState(options, switchedOn, 'resizing'))) return success
  try {
    return await work()
  } finally {
    await changeState(options, ['resizing'], before)
  }
}

export const toEnforced = (rule: QuotaRule): EnforcedQuota => ({
  rule: rule.uuid,
  target: rule.target,
  limits: rule.limits,
  ...(rule.userMapping !== undefined && { userMapping: rule.userMapping }),
  ...(rule.gracePeriodSeconds !== undefined && { gracePeriodSeconds: rule.gracePeriodSeconds }),
  ...(rule.thresholds && { thresholds: rule.thresholds }),
})
