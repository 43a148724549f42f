import type { JobEnd } from '../jobs/job-repository.ts'
import type { JobTask } from '../jobs/job-task.ts'
import { MAXIMUM_QTREES, qtreeOf } from '../qtrees/qtree.ts'
import { oneOf } from '../query/query.ts'
import { failure, type QuotaTaskOptions, refusalToFailure, success } from '../quotas/quota-tasks.ts'
import { CALLS_IN_TURN, mapInTurns } from '../scheduling/map-in-turns.ts'
import type { ServedVolumes } from '../volumes/served-volumes.ts'
import type { Volume } from '../volumes/volume.ts'
import { forgetVolume } from './forget-volume.ts'

type Task<Kind extends JobTask['kind']> = Extract<JobTask, { kind: Kind }>

export interface VolumeCloneOptions extends QuotaTaskOptions {
  readonly served: ServedVolumes
}

/** Makes the clone of a stored volume, with its qtrees, and serves it. Removes the volume from the store when that fails. */
export async function cloneVolume(options: VolumeCloneOptions, { clone }: Task<'clone-volume'>): Promise<JobEnd> {
  const { repositories, volume, backend, served, emit } = options
  const create = async (): Promise<JobEnd> => {
    const stored = await repositories.volumes.find(clone.id)
    if (!stored) return failure('volume-clone-failed', `The volume "${clone.name}" was deleted in the meantime.`)
    if (!backend.volumeClones) return failure('volume-clone-failed', `The volume "${volume.name}" cannot be cloned.`)
    const made = await backend.volumeClones.create(clone)
    await repositories.qtrees.registerVolume({ ...qtreeOf(stored, ''), id: 0 })
    const names = new Set(await made.listQtrees())
    const ofVolume = { all: [oneOf('volumeUuid', [volume.uuid])] } as const
    const { records } = await repositories.qtrees.list({ query: ofVolume, order: [], limit: MAXIMUM_QTREES })
    // A qtree that is created at this time is not part of the clone.
    const cloned = records.filter(({ name }) => names.has(name))
    await mapInTurns(cloned, CALLS_IN_TURN, ({ id: _, ...qtree }) =>
      repositories.qtrees.create({ ...qtree, ...placeOf(stored) }),
    )
    await repositories.volumes.changeState(clone.id, 'online')
    served.begin({ ...stored, state: 'online' }, made)
    emit('volume.cloned', placeOf(stored).volume, { uuid: volume.uuid, name: volume.name })
    return success
  }
  const end = await refusalToFailure('volume-clone-failed', create())
  if (end.state === 'failure') await forgetVolume(repositories, clone.id)
  return end
}

/** Removes a clone with its files, its qtrees and its rules. */
export async function removeClone(options: VolumeCloneOptions, { clone }: Task<'remove-clone'>): Promise<JobEnd> {
  const { repositories, backend, served, emit } = options
  const remove = async (): Promise<JobEnd> => {
    await served.end(clone.id)
    await backend.volumeClones?.remove(clone)
    // The volume is removed from the store last.
    if (await forgetVolume(repositories, clone.id)) emit('volume.deleted', { uuid: clone.id, name: clone.name })
    return success
  }
  return refusalToFailure('volume-delete-failed', remove())
}

const placeOf = ({ uuid, name, svm }: Volume) => ({ svm, volume: { uuid, name } })
