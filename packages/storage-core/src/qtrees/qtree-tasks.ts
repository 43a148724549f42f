import type { JobEnd } from '../jobs/job-repository.ts'
import type { JobTask } from '../jobs/job-task.ts'
import { isEmpty, limitsChange } from '../quotas/limits-change.ts'
import { type LimitContext, limitsInForce, readLimitContext } from '../quotas/limits-in-force.ts'
import { failure, type QuotaTaskOptions, refusalToFailure, success } from '../quotas/quota-tasks.ts'
import { isSwitchedOn } from '../volumes/volume.ts'

type Task<Kind extends JobTask['kind']> = Extract<JobTask, { kind: Kind }>

/** Creates the directory of a stored qtree. Removes the qtree from the store when that fails. */
export async function createQtree(options: QuotaTaskOptions, { id, name }: Task<'create-qtree'>): Promise<JobEnd> {
  const { repositories, volume, backend, emit } = options
  const create = async (): Promise<JobEnd> => {
    const qtree = await repositories.qtrees.find(volume.uuid, id)
    if (qtree?.name !== name) return success
    await backend.createQtree(name, { unixPermissions: qtree.unixPermissions })
    await repositories.quotaRules.linkQtree(volume.uuid, name, id)
    await changeQtrees(options, (qtrees) => qtrees.filter((other) => other.name !== name))
    emit('qtree.created', qtree)
    return success
  }
  const end = await refusalToFailure('qtree-create-failed', create())
  if (end.state === 'failure') await repositories.qtrees.remove(volume.uuid, id)
  return end
}

/** Renames or changes a qtree. Checks the new name again, because earlier jobs may have taken it. */
export async function updateQtree(options: QuotaTaskOptions, task: Task<'update-qtree'>): Promise<JobEnd> {
  const { repositories, volume, backend, emit } = options
  const { id, name, change } = task
  const update = async (): Promise<JobEnd> => {
    const qtree = await repositories.qtrees.find(volume.uuid, id)
    // An earlier try of this job may have renamed it.
    if (qtree?.name !== name && (qtree === undefined || qtree.name !== change.name)) {
      return failure('qtree-rename-failed', qtreeChangedMessage(name))
    }
    if (change.name !== undefined && change.name !== name) {
      const other = await repositories.qtrees.findByName(volume.uuid, change.name)
      if (other && other.id !== id) {
        return failure('qtree-rename-failed', `A qtree "${change.name}" exists on the volume.`)
      }
      const rules = await repositories.quotaRules.listOfVolume(volume.uuid)
      const rulesOfOther = `Quota rules of the volume already name a qtree "${change.name}".`
      if (rules.some(({ target, qtreeId }) => target.qtree === change.name && qtreeId !== id)) {
        return failure('qtree-rename-failed', rulesOfOther)
      }
      await backend.renameQtree(name, change.name)
      if (!(await repositories.quotaRules.renameQtree(volume.uuid, name, change.name))) {
        // A rule was added in the meantime.
        await backend.renameQtree(change.name, name)
        return failure('qtree-rename-failed', rulesOfOther)
      }
      for (const quota of await repositories.enforcedQuotas.list(volume.uuid)) {
        if (quota.target.qtree !== name) continue
        await repositories.enforcedQuotas.put(volume.uuid, {
          ...quota,
          target: { ...quota.target, qtree: change.name },
        })
      }
    }
    if (change.unixPermissions !== undefined) {
      await backend.changeQtree(change.name ?? name, { unixPermissions: change.unixPermissions })
    }
    const changed = await repositories.qtrees.update(volume.uuid, id, change)
    if (changed && changed !== 'taken') emit('qtree.modified', changed)
    return success
  }
  return refusalToFailure('qtree-rename-failed', update())
}

/** Removes a qtree with its files and its rules. */
export async function removeQtree(options: QuotaTaskOptions, { id, name }: Task<'remove-qtree'>): Promise<JobEnd> {
  const { repositories, volume, backend, emit } = options
  const remove = async (): Promise<JobEnd> => {
    const qtree = await repositories.qtrees.find(volume.uuid, id)
    // The qtree is removed from the store last.
    if (!qtree) return success
    if (qtree.name !== name) return failure('qtree-delete-failed', qtreeChangedMessage(name))
    await changeQtrees(options, undefined, (qtrees) => qtrees.filter((other) => other.name !== name))
    await backend.removeQtree(name)
    for (const rule of await repositories.quotaRules.removeQtree(volume.uuid, name)) emit('quota-rule.deleted', rule)
    for (const { rule, target } of await repositories.enforcedQuotas.list(volume.uuid)) {
      if (target.qtree === name) await repositories.enforcedQuotas.remove(volume.uuid, rule)
    }
    // The id is free for another qtree, which must not inherit them.
    for (const { subject, sequence } of await repositories.limitStates.list(volume.uuid)) {
      if (subject.kind === 'limit' && subject.qtree === id)
        await repositories.limitStates.remove(volume.uuid, subject, sequence)
    }
    const removed = await repositories.qtrees.remove(volume.uuid, id)
    if (removed) emit('qtree.deleted', removed)
    return success
  }
  return refusalToFailure('qtree-delete-failed', remove())
}

const qtreeChangedMessage = (name: string): string => `Qtree "${name}" was renamed or deleted in the meantime.`

type Names = (qtrees: LimitContext['qtrees']) => LimitContext['qtrees']

/** Changes the enforced limits for a changed set of qtrees, while quotas are on. */
async function changeQtrees(options: QuotaTaskOptions, before: Names = same, after: Names = same): Promise<void> {
  const { repositories, volume, backend } = options
  if (!isSwitchedOn((await repositories.volumes.find(volume.uuid)) ?? volume)) return
  const quotas = await repositories.enforcedQuotas.list(volume.uuid)
  const context = await readLimitContext(options)
  const limits = (select: Names) => limitsInForce(quotas, { ...context, qtrees: select(context.qtrees) })
  const change = limitsChange(limits(before), limits(after))
  if (!isEmpty(change)) await backend.changeLimits(change)
}

const same: Names = (qtrees) => qtrees
