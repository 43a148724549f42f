import type { EmulationRepositories } from '../emulation-repositories.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { withProjectDefaults } from '../projects/project.ts'
import type { InstanceRecord } from './instance.ts'

/** Adds to each stored record the defaults of what it lacks, as an earlier version wrote it. */
export function withDefaults(repositories: EmulationRepositories): EmulationRepositories {
  const { projects, instances, drawings } = repositories
  return {
    drawings,
    projects: {
      find: async (id) => {
        const found = await projects.find(id)
        return found && withProjectDefaults(found)
      },
      list: async () => (await projects.list()).map(withProjectDefaults),
      add: (project) => projects.add(project),
      replace: (project) => projects.replace(project),
      remove: (id) => projects.remove(id),
    },
    instances: {
      find: async (id) => {
        const found = await instances.find(id)
        return found && complete(found)
      },
      list: async (filter) => (await instances.list(filter)).map(complete),
      add: (instance) => instances.add(instance),
      replace: (instance) => instances.replace(instance),
      replaceAll: (replaced) => instances.replaceAll(replaced),
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
