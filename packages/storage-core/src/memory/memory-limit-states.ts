import { type LimitState, subjectKey } from '../limit-states/limit-state.ts'
import type { LimitStateRepository } from '../limit-states/limit-state-repository.ts'
import type { VolumeId } from '../volumes/volume.ts'

/** Stores the states of limits in memory until the process ends. Returns copies. */
export function memoryLimitStates(): LimitStateRepository {
  const volumes = new Map<VolumeId, Map<string, LimitState>>()
  return {
    async list(volume) {
      return structuredClone([...(volumes.get(volume)?.values() ?? [])])
    },
    async add(state) {
      const states = volumes.get(state.volume) ?? new Map<string, LimitState>()
      const key = subjectKey(state.subject)
      if (states.has(key)) return false
      volumes.set(state.volume, states.set(key, structuredClone(state)))
      return true
    },
    async replace(state, from) {
      const states = volumes.get(state.volume)
      const key = subjectKey(state.subject)
      if (states?.get(key)?.sequence !== from) return false
      states.set(key, structuredClone(state))
      return true
    },
    async remove(volume, subject, from) {
      const states = volumes.get(volume)
      const key = subjectKey(subject)
      if (states?.get(key)?.sequence !== from) return false
      return states.delete(key)
    },
  }
}
