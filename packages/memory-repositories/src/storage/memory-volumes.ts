import type { Volume } from '@trivium/storage-core'
import {
  compileQuery,
  pageInMemory,
  type SvmId,
  type VolumeId,
  type VolumeRepository,
  volumeFields,
} from '@trivium/storage-core/ports'

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
  }
}
