import type { ApiKey, ApiKeyHash, ApiKeyId } from '../api-keys/api-key.ts'
import { type ApiKeyRepository, changedApiKey } from '../api-keys/api-key-repository.ts'

/** Stores API keys in memory until the process ends. */
export function memoryApiKeys(): ApiKeyRepository {
  const keys = new Map<ApiKeyId, ApiKey>()
  const idsByHash = new Map<ApiKeyHash, ApiKeyId>()

  // The names of keys that are not revoked.
  const idsByName = new Map<string, ApiKeyId>()

  const nameTaken = (key: ApiKey) => {
    const name = nameOf(key)
    const holder = name === undefined ? undefined : idsByName.get(name)
    return holder !== undefined && holder !== key.id
  }

  const put = (key: ApiKey): void => {
    const before = keys.get(key.id)
    if (before) {
      idsByHash.delete(before.hash)
      const name = nameOf(before)
      if (name !== undefined) idsByName.delete(name)
    }
    keys.set(key.id, key)
    idsByHash.set(key.hash, key.id)
    const name = nameOf(key)
    if (name !== undefined) idsByName.set(name, key.id)
  }

  const change = (id: ApiKeyId, changed: (key: ApiKey) => ApiKey): ApiKey | undefined => {
    const key = keys.get(id)
    if (!key) return undefined
    const next = changed(key)
    put(next)
    return structuredClone(next)
  }

  return {
    async add(key) {
      if (nameTaken(key)) return 'name-taken'
      put(structuredClone(key))
      return 'added'
    },

    async find(id) {
      return structuredClone(keys.get(id))
    },

    async findByHash(hash) {
      const id = idsByHash.get(hash)
      return id === undefined ? undefined : structuredClone(keys.get(id))
    },

    async list({ username, teamId, after, limit }) {
      const ordered = [...keys.values()].sort(byCreation)
      const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
      if (after !== undefined && start === 0) return []
      return ordered
        .slice(start)
        .filter((key) => username === undefined || key.username === username)
        .filter((key) => teamId === undefined || key.teamId === teamId)
        .slice(0, limit)
        .map((key) => structuredClone(key))
    },

    async namesOf(ids) {
      return [...new Set(ids)].flatMap((id) => {
        const key = keys.get(id)
        return key ? [{ id, username: key.username, ...(key.name === undefined ? {} : { name: key.name }) }] : []
      })
    },

    async usernamesOf(userIds) {
      const wanted = new Set(userIds)
      const found = [...keys.values()].filter(({ userId }) => wanted.has(userId))
      return [...new Map(found.map(({ userId, username }) => [userId, { userId, username }])).values()]
    },

    async count(owner, at) {
      let [usable, all] = [0, 0]
      for (const { username, teamId, revokedAt, expiresAt } of keys.values()) {
        if (username !== (owner.username ?? username) || teamId !== (owner.teamId ?? teamId)) continue
        all += 1
        if (!revokedAt && !(expiresAt && expiresAt <= at)) usable += 1
      }
      return { usable, all }
    },

    async change(id, changes) {
      const key = keys.get(id)
      if (!key) return undefined
      const changed = changedApiKey(key, structuredClone(changes))
      if (nameTaken(changed)) return 'name-taken'
      put(changed)
      return structuredClone(changed)
    },

    async replaceSecret(id, { hash, hint }) {
      if (keys.get(id)?.revokedAt) return undefined
      return change(id, (key) => ({ ...key, hash, hint }))
    },

    async revoke(id, at) {
      return change(id, (key) => ({ ...key, revokedAt: key.revokedAt ?? new Date(at) }))
    },

    async removeEnded(before) {
      const ended = [...keys.values()].filter(
        ({ revokedAt, expiresAt }) => (revokedAt && revokedAt < before) || (expiresAt && expiresAt < before),
      )
      for (const key of ended) {
        keys.delete(key.id)
        idsByHash.delete(key.hash)
        const name = nameOf(key)
        if (name !== undefined) idsByName.delete(name)
      }
      return ended.length
    },

    async proveWritable() {},

    async recordUses(uses) {
      for (const { id, count, lastUsedAt } of uses) {
        const key = keys.get(id)
        if (!key) continue
        const latest = key.lastUsedAt && key.lastUsedAt > lastUsedAt ? key.lastUsedAt : new Date(lastUsedAt)
        keys.set(id, { ...key, usageCount: key.usageCount + count, lastUsedAt: latest })
      }
    },
  }
}

/** The unique name of a key, or `undefined` where it has no name or is revoked. */
function nameOf({ username, name, revokedAt }: ApiKey): string | undefined {
  return name === undefined || revokedAt ? undefined : JSON.stringify([username, name])
}

function byCreation(one: ApiKey, other: ApiKey): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1)
}
