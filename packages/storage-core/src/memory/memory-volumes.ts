import { compileQuery } from '../query/compile-query.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import type { SvmId } from '../svms/svm.ts'
import type { Volume } from '../volumes/volume.ts'
import { type VolumeId, volumeFields } from '../volumes/volume.ts'
import type { VolumeRepository } from '../volumes/volume-repository.ts'

/** Stores volumes in memory until the process ends. Returns copies. */
export function memoryVolumes(): VolumeRepository {
  const volumes = new Map<VolumeId, Volume>()
  const named = (svm: SvmId, name: string) =>
    [...volumes.values()].find((volume) => volume.svm.uuid === svm && volume.name === name)
  return {
    async register(volume) {
      const stored = named(volume.svm.uuid, volume.name)
      if (!stored) volumes.set(volume.uuid, structuredClone(volume))
      return structuredClone(stored ?? volume)
    },
    async find(uuid) {
      return structuredClone(volumes.get(uuid))
    },
    async findByName(svm, name) {
      return structuredClone(named(svm, name))
    },
    async list(request) {
      return structuredClone(pageInMemory(volumeFields, volumes.values(), request))
    },
    async count(query) {
      return [...volumes.values()].filter(compileQuery(volumeFields, query)).length
    },
    async changeQuotaState(uuid, from, to) {
      const volume = volumes.get(uuid)
      if (!volume || !from.includes(volume.quotaState)) return false
      volumes.set(uuid, { ...volume, quotaState: to })
      return true
    },
    async changeState(uuid, to) {
      const volume = volumes.get(uuid)
      if (!volume || volume.state === to) return false
      volumes.set(uuid, { ...volume, state: to })
      return true
    },
    async changeGracePeriod(uuid, seconds) {
      const volume = volumes.get(uuid)
      if (!volume) return
      const { gracePeriodSeconds: _, ...others } = volume
      volumes.set(uuid, { ...others, ...(seconds !== undefined && { gracePeriodSeconds: seconds }) })
    },
    async changeMountPoint(uuid, mountPoint) {
      const volume = volumes.get(uuid)
      if (volume) volumes.set(uuid, { ...volume, mountPoint })
    },
    remove: async (uuid) => volumes.delete(uuid),
  }
}
