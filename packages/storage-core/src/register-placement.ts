import type { NodeId, NodeReference } from './nodes/storage-node.ts'
import { qtreeOf } from './qtrees/qtree.ts'
import { oneOf } from './query/query.ts'
import type { SplitFloor } from './splits/split-floor.ts'
import type { StorageOptions, VolumeOptions } from './storage-options.ts'
import type { StorageRepositories } from './storage-repositories.ts'
import type { Svm, SvmId } from './svms/svm.ts'
import { MAXIMUM_VOLUME_CLONES } from './volume-clones/cloned-volumes.ts'
import type { AttachedVolumes } from './volumes/attached-volumes.ts'
import type { Volume, VolumeId } from './volumes/volume.ts'
import type { VolumeBackend } from './volumes/volume-backend.ts'
import { isVolumeRefusal } from './volumes/volume-refusal.ts'

const DEFAULT_SPLIT_LOAD = 32 * 2 ** 40

export interface RegisterPlacementOptions extends Required<Pick<StorageOptions, 'nodes' | 'svms'>> {
  /** The volumes, each with its floor of splits. */
  readonly volumes: readonly (VolumeOptions & { readonly floor: SplitFloor })[]
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
  /** Ids are opaque texts, so one generator serves nodes, SVMs and volumes. */
  readonly newId: () => string
}

/**
 * Registers the nodes, SVMs and volumes of the host. Those that are already stored under the same names stay unchanged.
 *
 * @returns the attached volumes, with their clones
 */
export async function registerPlacement(options: RegisterPlacementOptions): Promise<readonly Volume[]> {
  const { repositories, attached, newId } = options
  for (const { name, splitLoadMaximum = DEFAULT_SPLIT_LOAD } of options.nodes) {
    await repositories.nodes.register({ uuid: newId() as NodeId, name, splitLoadMaximum })
  }
  for (const name of options.svms) await repositories.svms.register({ uuid: newId() as SvmId, name })
  const volumes: Volume[] = []
  for (const { name, backend, floor, svm: svmName = 'svm1', node: nodeName = 'node1' } of options.volumes) {
    const svm = await repositories.svms.register({ uuid: newId() as SvmId, name: svmName })
    const { uuid: nodeUuid } = await repositories.nodes.register({
      uuid: newId() as NodeId,
      name: nodeName,
      splitLoadMaximum: DEFAULT_SPLIT_LOAD,
    })
    const volume = await registerVolume(repositories, {
      uuid: newId() as VolumeId,
      name,
      svm,
      node: { uuid: nodeUuid, name: nodeName },
    })
    const mountPoint = await backend.expectMount?.(volume.mountPoint)
    if (mountPoint !== undefined && mountPoint !== volume.mountPoint)
      await repositories.volumes.changeMountPoint(volume.uuid, mountPoint)
    attached.attach(volume.uuid, backend, floor)
    volumes.push(volume)
    const ofParent = { all: [oneOf('parentUuid', [volume.uuid])] } as const
    const { records } = await repositories.volumes.list({ query: ofParent, order: [], limit: MAXIMUM_VOLUME_CLONES })
    for (const clone of records) {
      const opened = await openClone(backend, clone)
      if (!opened) {
        // A clone whose job has not ended is attached by the job.
        await repositories.volumes.changeState(clone.uuid, 'offline')
        continue
      }
      attached.attach(clone.uuid, opened, floor)
      volumes.push(clone)
    }
  }
  return volumes
}

/** @returns `undefined` where it does not exist, or where its file system is not available */
async function openClone({ volumeClones }: VolumeBackend, { uuid, name }: Volume): Promise<VolumeBackend | undefined> {
  try {
    return await volumeClones?.open({ id: uuid, name })
  } catch (error) {
    if (isVolumeRefusal(error)) return undefined
    throw error
  }
}

interface NewVolume {
  readonly uuid: VolumeId
  readonly name: string
  readonly svm: Svm
  readonly node: NodeReference
}

async function registerVolume({ volumes, qtrees }: StorageRepositories, draft: NewVolume): Promise<Volume> {
  const volume = await volumes.register({ ...draft, state: 'online', quotaState: 'off' })
  if (volume.parent) throw new Error(`A clone of the volume "${volume.parent.name}" is called "${volume.name}"`)
  await qtrees.registerVolume({ ...qtreeOf(volume, ''), id: 0 })
  return volume
}
