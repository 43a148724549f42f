import type { ConversationId } from '../responses/conversation-id.ts'
import type { ConversationRepository } from '../responses/conversation-repository.ts'
import type { ConversationItem, StoredConversation } from '../responses/stored-conversation.ts'
import type { ResponseOwner } from '../responses/stored-response.ts'

/** The capacity of {@link memoryConversations}. */
export interface MemoryConversationsOptions {
  /** Maximum UTF-16 code units of all items together. Beyond it, the conversations that were used longest ago are dropped. @default 128 Mi */
  readonly capacity?: number
}

interface Entry {
  stored: StoredConversation
  readonly items: Map<string, ConversationItem>
  length: number
}

/** Stores conversations in memory until they expire, the process ends or newer ones replace them. */
export function memoryConversations({ capacity = 2 ** 27 }: MemoryConversationsOptions = {}): ConversationRepository {
  /** In the order of their last use. */
  const entries = new Map<ConversationId, Entry>()
  /** The length of all items of each owner. */
  const ownerLengths = new Map<ResponseOwner, number>()
  let length = 0

  const count = (owner: ResponseOwner, more: number): number => {
    const total = (ownerLengths.get(owner) ?? 0) + more
    if (total === 0) ownerLengths.delete(owner)
    else ownerLengths.set(owner, total)
    length += more
    return total
  }

  const drop = (id: ConversationId): void => {
    const entry = entries.get(id)
    if (entry) count(entry.stored.owner, -entry.length)
    entries.delete(id)
  }

  /** Drops conversations of an owner with items, those that were used longest ago first. */
  const trim = (owner: ResponseOwner, kept: ConversationId, maxLength: number): void => {
    for (const { stored, length: itsLength } of entries.values()) {
      if ((ownerLengths.get(owner) ?? 0) <= maxLength) return
      if (stored.owner === owner && stored.id !== kept && itsLength > 0) drop(stored.id)
    }
  }

  const visible = (id: ConversationId, owner: ResponseOwner | undefined, now: Date): Entry | undefined => {
    const entry = entries.get(id)
    return entry && entry.stored.expiresAt > now && (owner === undefined || entry.stored.owner === owner)
      ? entry
      : undefined
  }

  return {
    async create(conversation, maxConversations) {
      entries.set(conversation.id, { stored: structuredClone(conversation), items: new Map(), length: 0 })
      const owned = [...entries.values()].filter(({ stored }) => stored.owner === conversation.owner)
      for (const { stored } of owned.slice(0, Math.max(0, owned.length - maxConversations))) drop(stored.id)
    },

    async find(id, owner, now) {
      return structuredClone(visible(id, owner, now)?.stored)
    },

    async changeMetadata(id, owner, metadata, now) {
      const entry = visible(id, owner, now)
      if (!entry) return undefined
      entry.stored = { ...entry.stored, metadata }
      return structuredClone(entry.stored)
    },

    async remove(id, owner, now) {
      const isVisible = visible(id, owner, now) !== undefined
      if (isVisible) drop(id)
      return isVisible
    },

    async append(id, items, { now, expiresAt, maxItems, maxLength, maxOwnerLength }) {
      const entry = visible(id, undefined, now)
      if (!entry) return 'absent'
      const added = newItems(items, (itemId) => entry.items.has(itemId))
      const addedLength = lengthOf(added)
      if (entry.items.size + added.length > maxItems || entry.length + addedLength > maxLength) return 'full'
      for (const item of added) entry.items.set(item.id, { ...item })
      entry.length += addedLength
      const ownerLength = count(entry.stored.owner, addedLength)
      entry.stored = { ...entry.stored, expiresAt: new Date(expiresAt) }
      entries.delete(id)
      entries.set(id, entry)
      if (ownerLength > maxOwnerLength) trim(entry.stored.owner, id, maxOwnerLength)
      for (const oldest of entries.keys()) {
        if (length <= capacity || oldest === id) break
        drop(oldest)
      }
      return 'appended'
    },

    async listItems(id, { after, descending, limit }) {
      const items = [...(entries.get(id)?.items.values() ?? [])]
      if (descending) items.reverse()
      const start = after === undefined ? 0 : items.findIndex((item) => item.id === after) + 1
      return after !== undefined && start === 0 ? [] : structuredClone(items.slice(start, start + limit))
    },

    async findItem(id, itemId) {
      return structuredClone(entries.get(id)?.items.get(itemId))
    },

    async removeItem(id, itemId) {
      const entry = entries.get(id)
      const item = entry?.items.get(itemId)
      if (!entry || !item) return false
      entry.length -= item.item.length
      count(entry.stored.owner, -item.item.length)
      return entry.items.delete(itemId)
    },

    async removeExpired(now, since = new Date(0)) {
      const before = entries.size
      for (const [id, { stored }] of entries) if (stored.expiresAt <= now && stored.expiresAt >= since) drop(id)
      return before - entries.size
    },
  }
}

/** Leaves out items whose id exists, or occurs earlier in the list. */
function newItems(items: readonly ConversationItem[], exists: (id: string) => boolean): readonly ConversationItem[] {
  return [...new Map(items.filter(({ id }) => !exists(id)).map((item) => [item.id, item])).values()]
}

const lengthOf = (items: readonly ConversationItem[]): number =>
  items.reduce((total, { item }) => total + item.length, 0)
