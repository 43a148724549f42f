import type { Svm, SvmId } from '../svms/svm.ts'
import type { SvmRepository } from '../svms/svm-repository.ts'
import { byName } from './by-name.ts'

/** Stores SVMs in memory until the process ends. Returns copies. */
export function memorySvms(): SvmRepository {
  const svms = new Map<SvmId, Svm>()
  const named = (name: string) => [...svms.values()].find((svm) => svm.name === name)
  return {
    async register(svm) {
      const stored = named(svm.name)
      if (stored) return { ...stored }
      svms.set(svm.uuid, { ...svm })
      return { ...svm }
    },
    async find(uuid) {
      const svm = svms.get(uuid)
      return svm && { ...svm }
    },
    async findByName(name) {
      const svm = named(name)
      return svm && { ...svm }
    },
    async list() {
      return byName(svms.values()).map((svm) => ({ ...svm }))
    },
  }
}
