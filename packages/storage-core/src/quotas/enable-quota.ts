import type { JobEnd } from '../jobs/job-repository.ts'
import { nextTurn } from '../scheduling/next-turn.ts'
import { isSwitchedOn, switchedOn } from '../volumes/volume.ts'
import { describeUnsupported } from './describe-unsupported.ts'
import { limitsInForce, readLimitContext } from './limits-in-force.ts'
import { changeState, failure, type QuotaTaskOptions, refusalToFailure, success, toEnforced } from './quota-tasks.ts'

/**
 * Counts the usage and starts to enforce the rules. The volume is `initializing` in the meantime, and returns to its
 * former state on a failure.
 */
export async function enableQuota(options: QuotaTaskOptions): Promise<JobEnd> {
  const { repositories, volume, backend, context } = options
  const { quotaState } = (await repositories.volumes.find(volume.uuid)) ?? volume
  const before = quotaState === 'initializing' ? 'off' : quotaState
  if (!(await changeState(options, ['off', 'initializing', 'mixed', 'corrupt'], 'initializing'))) return success
  const { signal, onProgress } = context
  const enable = async (): Promise<JobEnd> => {
    const quotas = (await repositories.quotaRules.listOfVolume(volume.uuid)).map(toEnforced)
    const limitContext = await readLimitContext(options)
    await nextTurn()
    const limits = limitsInForce(quotas, limitContext)
    await nextTurn()
    signal.throwIfAborted()
    const unsupported = await backend.unsupported(limits)
    if (unsupported.length > 0) return failure('quota-unsupported', describeUnsupported(unsupported))
    await backend.enableQuota(limits, { signal, onProgress })
    await nextTurn()
    await repositories.enforcedQuotas.replace(volume.uuid, quotas)
    await changeState(options, ['initializing'], 'on')
    return success
  }
  const end = await refusalToFailure('quota-enable-failed', enable(), signal).catch(async (error: unknown) => {
    if (!signal.aborted) await changeState(options, ['initializing'], before)
    throw error
  })
  if (end.state === 'failure') await changeState(options, ['initializing'], before)
  return end
}

export async function disableQuota(options: QuotaTaskOptions): Promise<JobEnd> {
  const { repositories, volume, backend } = options
  const disable = async (): Promise<JobEnd> => {
    await backend.disableQuota()
    await repositories.enforcedQuotas.replace(volume.uuid, [])
    await changeState(options, ['initializing', ...switchedOn], 'off')
    return success
  }
  return refusalToFailure('quota-disable-failed', disable())
}

/** Enforces the stored quotas again, which the file system may have lost since an earlier process stopped. */
export async function restoreQuota(options: QuotaTaskOptions): Promise<JobEnd> {
  const { repositories, volume, backend, context } = options
  if (!isSwitchedOn((await repositories.volumes.find(volume.uuid)) ?? volume)) return success
  const restore = async (): Promise<JobEnd> => {
    const quotas = await repositories.enforcedQuotas.list(volume.uuid)
    const limits = limitsInForce(quotas, await readLimitContext(options))
    await backend.enableQuota(limits, context)
    await changeState(options, ['resizing'], 'on')
    return success
  }
  return refusalToFailure('quota-enable-failed', restore(), context.signal)
}
