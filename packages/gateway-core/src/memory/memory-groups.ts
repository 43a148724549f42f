import type { Group, GroupId } from '../groups/group.ts'
import { changedGroup, type GroupRepository } from '../groups/group-repository.ts'

/** Stores teams and users in memory until the process ends. */
export function memoryGroups(): GroupRepository {
  const groups = { team: new Map<GroupId, Group>(), user: new Map<GroupId, Group>() }

  const isNamed = ({ kind, id, name }: Group): boolean =>
    [...groups[kind].values()].some((other) => other.name === name && other.id !== id)

  const put = (group: Group): Group => {
    groups[group.kind].set(group.id, structuredClone(group))
    return group
  }

  return {
    async add(group) {
      if (groups[group.kind].has(group.id) || isNamed(group)) return 'taken'
      put(group)
      return 'added'
    },

    async find(kind, id) {
      return structuredClone(groups[kind].get(id))
    },

    async list({ kind, after, limit }) {
      const ordered = [...groups[kind].values()].sort(byCreation)
      const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
      if (after !== undefined && start === 0) return []
      return ordered.slice(start, start + limit).map((group) => structuredClone(group))
    },

    async namesOf(kind, ids) {
      return [...new Set(ids)].flatMap((id) => {
        const group = groups[kind].get(id)
        return group ? [{ id, name: group.name }] : []
      })
    },

    async change(kind, id, changes) {
      const group = groups[kind].get(id)
      if (!group) return undefined
      const changed = changedGroup(group, changes)
      return isNamed(changed) ? 'taken' : put(changed)
    },

    async remove(kind, id) {
      return groups[kind].delete(id)
    },
  }
}

const byCreation = (one: Group, other: Group): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1)
