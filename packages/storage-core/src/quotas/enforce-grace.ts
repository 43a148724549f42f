import type { JobEnd } from '../jobs/job-repository.ts'
import type { EnforceGraceTask } from '../jobs/job-task.ts'
import { isSwitchedOn } from '../volumes/volume.ts'
import type { EnforcedLimit, LimitTarget } from '../volumes/volume-backend.ts'
import { limitTargetKey } from './enforced-limits.ts'
import { isEmpty } from './limits-change.ts'
import { limitsInForce, readLimitContext } from './limits-in-force.ts'
import { type QuotaTaskOptions, refusalToFailure, success } from './quota-tasks.ts'

/** Sets the limits of targets as their states require now. Earlier jobs may have changed rules and qtrees. */
export async function enforceGrace(options: QuotaTaskOptions, { targets }: EnforceGraceTask): Promise<JobEnd> {
  const { repositories, volume, backend } = options
  const enforce = async (): Promise<JobEnd> => {
    if (!isSwitchedOn((await repositories.volumes.find(volume.uuid)) ?? volume)) return success
    const quotas = await repositories.enforcedQuotas.list(volume.uuid)
    const wanted = limitsInForce(quotas, await readLimitContext(options))
    const wantedKeys = new Set(wanted.map(({ target }) => limitTargetKey(target)))
    const changed = new Set(targets.map(({ target }) => limitTargetKey(target)))
    const clear = targets.flatMap(({ target }) => (wantedKeys.has(limitTargetKey(target)) ? [] : target))
    const set = wanted.filter(
      ({ target }) =>
        changed.has(limitTargetKey(target)) || targets.some(({ name }) => name !== undefined && names(target, name)),
    )
    const change = { clear: clear.filter(isOfOwner), set }
    if (!isEmpty(change)) await backend.changeLimits(change)
    return success
  }
  return refusalToFailure('quota-enable-failed', enforce())
}

/** A qtree that is absent has no limits to clear. */
const isOfOwner = ({ kind }: LimitTarget): boolean => kind === 'users' || kind === 'group'

/** Whether a limit names a user or group, whose limit by the id is the same in the file system. */
function names(target: EnforcedLimit['target'], name: string): boolean {
  if (target.kind === 'users') return target.users.some((user) => 'name' in user && user.name === name)
  return target.kind === 'group' && 'name' in target.group && target.group.name === name
}
