import type { EmulationRepositories } from '../emulation-repositories.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { InstanceRecord } from './instance.ts'

/** Adds to each stored instance the defaults of the settings that its record lacks, as an earlier version wrote it. */
export function withDefaults(repositories: EmulationRepositories): EmulationRepositories {
  const { projects, instances, drawings } = repositories
  return {
    projects,
    drawings,
    instances: {
      find: async (id) => {
        const found = await instances.find(id)
        return found && complete(found)
      },
      list: async (filter) => (await instances.list(filter)).map(complete),
      add: (instance) => instances.add(instance),
      replace: (instance) => instances.replace(instance),
      remove: (id) => instances.remove(id),
      removals: (projectId) => instances.removals(projectId),
      commit: (removal) => instances.commit(removal),
      removeProject: (projectId) => instances.removeProject(projectId),
    },
  }
}

function complete<K extends Kind>(record: InstanceRecord<K>): InstanceRecord<K> {
  const { defaults } = kinds[record.kind]
  return defaults ? { ...record, settings: { ...defaults, ...record.settings } } : record
}
