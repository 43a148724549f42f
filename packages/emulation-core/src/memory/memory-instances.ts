import type { InstanceId, InstanceRecord } from '../instances/instance.ts'
import type { InstanceRepository, Removal } from '../instances/instance-repository.ts'
import type { ProjectId } from '../projects/project.ts'
import { byAge } from './by-age.ts'

interface ProjectContents {
  readonly instances: Map<InstanceId, InstanceRecord>
  readonly removals: Map<string, Removal>
}

const removalKey = ({ kind, id }: Pick<Removal, 'kind' | 'id'>) => `${kind}/${id}`

/** Stores instances in memory until the process ends. Returns copies. */
export function memoryInstances(): InstanceRepository {
  const instances = new Map<InstanceId, InstanceRecord>()
  const projects = new Map<ProjectId, ProjectContents>()

  const contentsOf = (id: ProjectId): ProjectContents => {
    const found = projects.get(id)
    if (found) return found
    const contents: ProjectContents = { instances: new Map(), removals: new Map() }
    projects.set(id, contents)
    return contents
  }

  const store = (instance: InstanceRecord) => {
    const copy = structuredClone(instance)
    instances.set(copy.id, copy)
    contentsOf(copy.projectId).instances.set(copy.id, copy)
  }

  return {
    find: async (id) => structuredClone(instances.get(id)),
    list: async ({ projectId, kind } = {}) => {
      const all = projectId === undefined ? instances : projects.get(projectId)?.instances
      const wanted = [...(all?.values() ?? [])].filter((instance) => kind === undefined || instance.kind === kind)
      return structuredClone(wanted.sort(byAge))
    },
    add: async (instance) => {
      if (instances.has(instance.id)) return false
      store(instance)
      contentsOf(instance.projectId).removals.delete(removalKey(instance))
      return true
    },
    replace: async (instance) => {
      if (instances.get(instance.id)?.revision !== instance.revision - 1) return false
      store(instance)
      return true
    },
    replaceAll: async (replaced) => {
      const isNext = ({ id, revision }: InstanceRecord) => instances.get(id)?.revision === revision - 1
      if (!replaced.every(isNext)) return false
      for (const instance of replaced) store(instance)
      return true
    },
    remove: async (id) => {
      const instance = instances.get(id)
      if (!instance) return false
      const { projectId, kind } = instance
      instances.delete(id)
      const contents = contentsOf(projectId)
      contents.instances.delete(id)
      contents.removals.set(removalKey(instance), { projectId, kind, id })
      return true
    },
    removals: async (projectId) => structuredClone([...(projects.get(projectId)?.removals.values() ?? [])]),
    commit: async (removal) => {
      projects.get(removal.projectId)?.removals.delete(removalKey(removal))
    },
    removeProject: async (projectId) => {
      for (const id of projects.get(projectId)?.instances.keys() ?? []) instances.delete(id)
      projects.delete(projectId)
    },
  }
}
