import type { ResponseRepository } from '../responses/response-repository.ts'
import { isRunning, type ResponseId, type ResponseOwner, type StoredResponse } from '../responses/stored-response.ts'

/** The capacity of {@link memoryResponses}. */
export interface MemoryResponsesOptions {
  /** Maximum bytes of all responses together. Beyond it, the oldest are dropped. @default 256 MiB */
  readonly capacityBytes?: number
}

interface Entry {
  readonly stored: StoredResponse
  readonly outputIds: readonly string[]
}

/** Of one owner, in the order of their addition. */
interface Owned {
  readonly ids: Set<ResponseId>
  readonly byOutput: Map<string, ResponseId>
  bytes: number
}

/** Stores responses in memory until they expire, the process ends or newer responses replace them. */
export function memoryResponses({ capacityBytes = 2 ** 28 }: MemoryResponsesOptions = {}): ResponseRepository {
  const entries = new Map<ResponseId, Entry>()
  const owners = new Map<ResponseOwner, Owned>()
  let bytes = 0

  const ownedBy = (owner: ResponseOwner): Owned => {
    const owned = owners.get(owner) ?? { ids: new Set(), byOutput: new Map(), bytes: 0 }
    owners.set(owner, owned)
    return owned
  }

  const put = (stored: StoredResponse, outputIds: readonly string[]): Owned => {
    const owned = ownedBy(stored.owner)
    entries.set(stored.id, { stored: structuredClone(stored), outputIds })
    owned.ids.add(stored.id)
    for (const id of outputIds) owned.byOutput.set(id, stored.id)
    owned.bytes += stored.bytes
    bytes += stored.bytes
    return owned
  }

  const drop = (id: ResponseId): void => {
    const entry = entries.get(id)
    if (!entry) return
    const { stored, outputIds } = entry
    const owned = ownedBy(stored.owner)
    entries.delete(id)
    owned.ids.delete(id)
    for (const outputId of outputIds) if (owned.byOutput.get(outputId) === id) owned.byOutput.delete(outputId)
    owned.bytes -= stored.bytes
    bytes -= stored.bytes
    if (owned.ids.size === 0) owners.delete(stored.owner)
  }

  const visible = (id: ResponseId | undefined, owner: ResponseOwner | undefined, now: Date) => {
    const stored = id === undefined ? undefined : entries.get(id)?.stored
    return stored && stored.expiresAt > now && (owner === undefined || stored.owner === owner) ? stored : undefined
  }

  const trim = (ids: Iterable<ResponseId>, kept: ResponseId, isOver: () => boolean): void => {
    for (const id of ids) {
      if (!isOver()) return
      if (id !== kept) drop(id)
    }
  }

  return {
    async save(response, outputIds, { maxResponses, maxBytes }) {
      if (entries.has(response.id)) return 'id-taken'
      const owned = put(response, outputIds)
      trim(owned.ids, response.id, () => owned.ids.size > maxResponses || owned.bytes > maxBytes)
      trim(entries.keys(), response.id, () => bytes > capacityBytes)
      return 'saved'
    },

    async find(id, owner, now) {
      return structuredClone(visible(id, owner, now))
    },

    async findByOutput(itemId, owner, now) {
      return structuredClone(visible(owners.get(owner)?.byOutput.get(itemId), owner, now))
    },

    async remove(id, owner, now) {
      const isVisible = visible(id, owner, now) !== undefined
      if (isVisible) drop(id)
      return isVisible
    },

    async renewLease(id, leaseUntil) {
      const entry = entries.get(id)
      if (!entry || !isRunning(entry.stored)) return false
      entries.set(id, { ...entry, stored: { ...entry.stored, leaseUntil: new Date(leaseUntil) } })
      return true
    },

    async finish(id, { status, response, bytes: length, outputIds }, leaseEndedBy) {
      const entry = entries.get(id)
      if (!entry || !isRunning(entry.stored)) return false
      const { leaseUntil, ...stored } = entry.stored
      if (leaseEndedBy && leaseUntil && leaseUntil > leaseEndedBy) return false
      const owned = ownedBy(stored.owner)
      owned.bytes += length - stored.bytes
      bytes += length - stored.bytes
      for (const outputId of outputIds) owned.byOutput.set(outputId, id)
      entries.set(id, { stored: { ...stored, status, response, bytes: length }, outputIds })
      return true
    },

    async removeExpired(now, since = new Date(0)) {
      const before = entries.size
      for (const [id, { stored }] of entries) if (stored.expiresAt <= now && stored.expiresAt >= since) drop(id)
      return before - entries.size
    },
  }
}
