import { MAXIMUM_QTREES } from '../qtrees/qtree.ts'
import { oneOf } from '../query/query.ts'
import { CALLS_IN_TURN, mapInTurns } from '../scheduling/map-in-turns.ts'
import { nextTurn } from '../scheduling/next-turn.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { VolumeId } from '../volumes/volume.ts'

const RULES_AT_ONCE = 500

/**
 * Removes a volume from the store, with its rules, qtrees and splits. The volume itself is removed last, so a call that is
 * interrupted can be repeated.
 *
 * @returns whether the volume existed
 */
export async function forgetVolume(repositories: StorageRepositories, uuid: VolumeId): Promise<boolean> {
  const { volumes, quotaRules, enforcedQuotas, limitStates, qtrees, splits } = repositories
  if (!(await volumes.find(uuid))) return false
  const ofVolume = { all: [oneOf('volumeUuid', [uuid])] } as const
  for (;;) {
    const { records } = await quotaRules.list({ query: ofVolume, order: [], limit: RULES_AT_ONCE })
    if (records.length === 0) break
    // A rule that is changed meanwhile is removed by the next turn.
    await quotaRules.applyBatch({ added: [], companions: [], replaced: [], removed: records, kept: [], jobs: [] })
    await nextTurn()
  }
  await enforcedQuotas.replace(uuid, [])
  await mapInTurns(await limitStates.list(uuid), CALLS_IN_TURN, ({ subject, sequence }) =>
    limitStates.remove(uuid, subject, sequence),
  )
  for (;;) {
    const { records } = await splits.list({ query: ofVolume, order: [], limit: RULES_AT_ONCE })
    if (records.length === 0) break
    await mapInTurns(records, CALLS_IN_TURN, (split) => splits.cancel(split.uuid, new Date(0)))
  }
  const { records } = await qtrees.list({ query: ofVolume, order: [], limit: MAXIMUM_QTREES })
  await mapInTurns(records, CALLS_IN_TURN, ({ id }) => qtrees.remove(uuid, id))
  return volumes.remove(uuid)
}
