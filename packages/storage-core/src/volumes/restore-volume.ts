import type { JobEnd } from '../jobs/job-repository.ts'
import { type Qtree, qtreeOf } from '../qtrees/qtree.ts'
import { restoreQuota } from '../quotas/enable-quota.ts'
import { type QuotaTaskOptions, refusalToFailure, success } from '../quotas/quota-tasks.ts'
import { CALLS_IN_TURN, mapInTurns } from '../scheduling/map-in-turns.ts'
import { type InspectVolumeOptions, inspectVolume, storeCondition } from './inspect-volume.ts'
import { isVolumeRefusal } from './volume-refusal.ts'

type RestoreOptions = Pick<QuotaTaskOptions, 'repositories' | 'volume' | 'backend'>

/** Whether {@link restoreVolume} has anything to do. */
export async function needsRestoring(options: RestoreOptions): Promise<boolean> {
  if (options.volume.quotaState !== 'off') return true
  try {
    const { unknown, missing } = await unmatchedQtrees(options)
    return unknown.length > 0 || missing.length > 0
  } catch (error) {
    // The job reports why the file system is not available.
    if (isVolumeRefusal(error)) return true
    throw error
  }
}

/**
 * Restores an attached volume at a start: stores the qtrees that only the file system has, creates those that it lacks,
 * and enforces the stored quotas again. Runs in the volume's lane after the jobs of earlier processes, because a qtree
 * whose renaming is unfinished looks like two.
 */
export async function restoreVolume(options: QuotaTaskOptions & InspectVolumeOptions): Promise<JobEnd> {
  const matched = await refusalToFailure('qtree-create-failed', matchQtrees(options))
  const restored = await restoreQuota(options)
  const compared = await refusalToFailure('quota-enable-failed', compare(options))
  return [restored, matched, compared].find(({ state }) => state === 'failure') ?? success
}

async function compare(options: InspectVolumeOptions): Promise<JobEnd> {
  await storeCondition(options, await inspectVolume(options))
  return success
}

async function matchQtrees(options: QuotaTaskOptions): Promise<JobEnd> {
  const { repositories, volume, backend } = options
  const { unknown, missing } = await unmatchedQtrees(options)
  await mapInTurns(unknown, CALLS_IN_TURN, async (name) => {
    const created = await repositories.qtrees.create(qtreeOf(volume, name))
    if (typeof created === 'object') await repositories.quotaRules.linkQtree(volume.uuid, name, created.id)
  })
  for (const { name, unixPermissions } of missing) await backend.createQtree(name, { unixPermissions })
  return success
}

/** The names that only the file system has, and the stored qtrees that it lacks. */
async function unmatchedQtrees({ repositories, volume, backend }: RestoreOptions): Promise<{
  readonly unknown: readonly string[]
  readonly missing: readonly Qtree[]
}> {
  const { qtrees: hasQtrees } = await backend.capabilities()
  if (!hasQtrees) return { unknown: [], missing: [] }
  const fileSystemNames = new Set(await backend.listQtrees())
  const isOfVolume = { field: 'volumeUuid', negated: false, term: { kind: 'equals', value: volume.uuid } } as const
  const query = { all: [{ any: [isOfVolume] }] }
  const { records } = await repositories.qtrees.list({ query, order: [], limit: 5000 })
  const storedNames = new Set(records.map(({ name }) => name))
  return {
    unknown: [...fileSystemNames].filter((name) => !storedNames.has(name)),
    missing: records.filter(({ name }) => name !== '' && !fileSystemNames.has(name)),
  }
}
