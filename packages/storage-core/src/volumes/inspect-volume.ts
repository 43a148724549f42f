import { limitsInForce, readLimitContext } from '../quotas/limits-in-force.ts'
import { changeState, type QuotaTaskOptions } from '../quotas/quota-tasks.ts'
import type { AbsentQtrees } from './absent-qtrees.ts'
import { isSwitchedOn } from './volume.ts'
import type { EnforcedLimit, VolumeCondition } from './volume-backend.ts'

export interface InspectVolumeOptions extends Pick<QuotaTaskOptions, 'repositories' | 'volume' | 'backend' | 'emit'> {
  readonly absent: AbsentQtrees
}

/** Compares the stored qtrees and limits of a volume with its file system. Changes nothing. */
export async function inspectVolume({
  repositories,
  volume,
  backend,
}: Omit<InspectVolumeOptions, 'absent' | 'emit'>): Promise<VolumeCondition> {
  const stored = (await repositories.volumes.find(volume.uuid)) ?? volume
  const context = await readLimitContext({ repositories, volume, backend })
  const quotas = isSwitchedOn(stored) ? await repositories.enforcedQuotas.list(volume.uuid) : []
  return backend.inspect({ qtrees: context.qtrees.map(({ name }) => name), limits: limitsInForce(quotas, context) })
}

/** Stores a condition as the state of a volume and of its quotas. @returns the limits that can be set again */
export async function storeCondition(
  options: InspectVolumeOptions,
  condition: VolumeCondition,
): Promise<readonly EnforcedLimit[]> {
  const { repositories, volume, emit, absent } = options
  const reference = { uuid: volume.uuid, name: volume.name }
  if (await repositories.volumes.changeState(volume.uuid, condition.state))
    emit('volume.state-changed', reference, condition.state)
  if (condition.state === 'offline') {
    await changeState(options, ['on', 'mixed'], 'corrupt')
    return []
  }
  const { lost, found } = absent.update(volume.uuid, condition.missing)
  for (const name of lost) emit('qtree.missing', reference, { name })
  for (const name of found) emit('qtree.found', reference, { name })
  if (!condition.enforces) await changeState(options, ['on', 'mixed'], 'corrupt')
  else if (condition.lost.length > 0) await changeState(options, ['on', 'corrupt'], 'mixed')
  else await changeState(options, ['mixed', 'corrupt'], 'on')
  return condition.enforces ? condition.lost : []
}
