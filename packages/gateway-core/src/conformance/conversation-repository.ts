import { describe, expect, it } from 'vitest'
import type { ConversationId } from '../responses/conversation-id.ts'
import type { ConversationRepository, ItemAddition } from '../responses/conversation-repository.ts'
import type { ConversationItem, StoredConversation } from '../responses/stored-conversation.ts'
import type { ResponseOwner } from '../responses/stored-response.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const owner = 'key:1' as ResponseOwner // owners and ids are opaque here
const other = 'user:1' as ResponseOwner // as above
const noon = Date.UTC(2026, 0, 2, 12)
const at = (seconds: number) => new Date(noon + seconds * 1_000)
const id = (number: number) => `conv_${number}` as ConversationId // as above

const stored = (number: number, more: Partial<StoredConversation> = {}): StoredConversation => ({
  id: id(number),
  owner,
  createdAt: at(number),
  expiresAt: at(1_000 + number),
  metadata: '{"topic":"ü\'s \\\\ 🦉"}',
  ...more,
})

const items = (...names: readonly string[]): readonly ConversationItem[] =>
  names.map((name) => ({ id: name, item: JSON.stringify({ id: name, text: "ü's 🦉" }) }))

const addition = (more: Partial<ItemAddition> = {}): ItemAddition => ({
  now: at(1),
  expiresAt: at(5_000),
  maxItems: 1_000,
  maxLength: 100_000,
  maxOwnerLength: 1_000_000,
  ...more,
})

const all = { descending: false, limit: 100 }

/** Registers vitest cases for a `ConversationRepository`, with simultaneous changes of several replicas. Each opens an empty store. */
export function conversationRepositoryConformance(open: OpenReplicas<ConversationRepository>): void {
  describe('conversation repository', () => {
    it('finds a conversation as it was created, for its owner only', async () => {
      const conversations = await openOne(open)
      await conversations.create(stored(1), 10)
      expect(await conversations.find(id(1), owner, at(2))).toEqual(stored(1))
      expect(await conversations.find(id(1), undefined, at(2))).toEqual(stored(1))
      expect(await conversations.find(id(1), other, at(2))).toBeUndefined()
      expect(await conversations.find(id(2), owner, at(2))).toBeUndefined()
      expect(await conversations.find(id(1), owner, at(1_001))).toBeUndefined()
    })

    it('changes the metadata for the owner only', async () => {
      const conversations = await openOne(open)
      await conversations.create(stored(1), 10)
      expect(await conversations.changeMetadata(id(1), other, '{}', at(2))).toBeUndefined()
      expect(await conversations.find(id(1), owner, at(2))).toEqual(stored(1))
      const changed = stored(1, { metadata: '{"a":"b"}' })
      expect(await conversations.changeMetadata(id(1), owner, '{"a":"b"}', at(2))).toEqual(changed)
      expect(await conversations.changeMetadata(id(1), owner, '{"a":"b"}', at(2))).toEqual(changed)
      expect(await conversations.find(id(1), owner, at(2))).toEqual(changed)
    })

    it('removes a conversation with its items for its owner only, and once', async () => {
      const conversations = await openOne(open)
      await conversations.create(stored(1), 10)
      await conversations.append(id(1), items('a'), addition())
      expect(await conversations.remove(id(1), other, at(2))).toBe(false)
      expect(await conversations.remove(id(1), owner, at(2))).toBe(true)
      expect(await conversations.remove(id(1), owner, at(2))).toBe(false)
      expect(await conversations.listItems(id(1), all)).toEqual([])
      expect(await conversations.append(id(1), items('a'), addition())).toBe('absent')
    })

    it('lists items in pages, in both orders', async () => {
      const conversations = await openOne(open)
      await conversations.create(stored(1), 10)
      await conversations.append(id(1), items('c', 'a'), addition())
      await conversations.append(id(1), items('b'), addition())
      expect(await conversations.listItems(id(1), all)).toEqual(items('c', 'a', 'b'))
      expect(await conversations.listItems(id(1), { descending: true, limit: 2 })).toEqual(items('b', 'a'))
      expect(await conversations.listItems(id(1), { after: 'c', descending: false, limit: 1 })).toEqual(items('a'))
      expect(await conversations.listItems(id(1), { after: 'a', descending: true, limit: 5 })).toEqual(items('c'))
      expect(await conversations.listItems(id(1), { after: 'x', descending: false, limit: 5 })).toEqual([])
      expect(await conversations.findItem(id(1), 'a')).toEqual(items('a')[0])
      expect(await conversations.findItem(id(1), 'x')).toBeUndefined()
      expect(await conversations.findItem(id(2), 'a')).toBeUndefined()
    })

    it('leaves out items that it has', async () => {
      const conversations = await openOne(open)
      await conversations.create(stored(1), 10)
      await conversations.append(id(1), items('a', 'b', 'a'), addition())
      await conversations.append(id(1), items('b', 'c'), addition())
      expect(await conversations.listItems(id(1), all)).toEqual(items('a', 'b', 'c'))
    })

    it('adds no items beyond the number and the length', async () => {
      const conversations = await openOne(open)
      await conversations.create(stored(1), 10)
      const [{ item = '' } = {}] = items('a')
      expect(await conversations.append(id(1), items('a', 'b'), addition({ maxItems: 2 }))).toBe('appended')
      expect(await conversations.append(id(1), items('c'), addition({ maxItems: 2 }))).toBe('full')
      expect(await conversations.append(id(1), items('c'), addition({ maxLength: 3 * item.length - 1 }))).toBe('full')
      expect(await conversations.listItems(id(1), all)).toEqual(items('a', 'b'))
      expect(await conversations.append(id(1), items('c'), addition({ maxLength: 3 * item.length }))).toBe('appended')
    })

    it('removes an item, whose place and length are then free', async () => {
      const conversations = await openOne(open)
      await conversations.create(stored(1), 10)
      await conversations.append(id(1), items('a', 'b'), addition())
      expect(await conversations.removeItem(id(1), 'a')).toBe(true)
      expect(await conversations.removeItem(id(1), 'a')).toBe(false)
      expect(await conversations.append(id(1), items('c'), addition({ maxItems: 2 }))).toBe('appended')
      expect(await conversations.listItems(id(1), all)).toEqual(items('b', 'c'))
    })

    it('postpones the expiry with each addition', async () => {
      const conversations = await openOne(open)
      await conversations.create(stored(1), 10)
      await conversations.append(id(1), items('a'), addition({ expiresAt: at(2_000) }))
      expect(await conversations.find(id(1), owner, at(1_999))).toEqual(stored(1, { expiresAt: at(2_000) }))
      expect(await conversations.append(id(1), items('b'), addition({ now: at(2_000) }))).toBe('absent')
    })

    it('adds all items of replicas that add at the same time, those of each call together', async () => {
      const replica = alternating(await open(3))
      await replica(0).create(stored(1), 10)
      const names = Array.from({ length: 6 }, (_, number) => [`${number}a`, `${number}b`] as const)
      await Promise.all(names.map((pair, number) => replica(number).append(id(1), items(...pair), addition())))
      const found = (await replica(0).listItems(id(1), all)).map((item) => item.id)
      expect([...found].sort()).toEqual(names.flat())
      for (const [first, second] of names) expect(found.indexOf(second)).toBe(found.indexOf(first) + 1)
    })

    it('removes the conversations of an owner that were used longest ago beyond the limit', async () => {
      const conversations = await openOne(open)
      await conversations.create(stored(0, { owner: other }), 2)
      await conversations.create(stored(1), 2)
      await conversations.create(stored(2), 2)
      await conversations.append(id(1), items('a'), addition())
      await conversations.create(stored(3), 2)
      expect(await conversations.find(id(2), owner, at(2))).toBeUndefined()
      expect(await conversations.find(id(1), owner, at(2))).toBeDefined()
      expect(await conversations.find(id(3), owner, at(2))).toBeDefined()
      expect(await conversations.find(id(0), other, at(2))).toBeDefined()
    })

    it('removes the conversations of an owner that were used longest ago beyond the length of all, and not the one that grows', async () => {
      const conversations = await openOne(open)
      const [{ item = '' } = {}] = items('a')
      const fits = (count: number, more: Partial<ItemAddition> = {}) =>
        addition({ maxOwnerLength: count * item.length, ...more })
      await conversations.create(stored(0, { owner: other }), 10)
      await conversations.append(id(0), items('a'), fits(1))
      for (const number of [1, 2, 3, 4]) await conversations.create(stored(number), 10)
      await conversations.append(id(2), items('a'), fits(3, { expiresAt: at(5_001) }))
      await conversations.append(id(1), items('a'), fits(3, { expiresAt: at(5_002) }))
      await conversations.append(id(3), items('a'), fits(3, { expiresAt: at(5_003) }))
      expect(await conversations.find(id(2), owner, at(2))).toBeDefined()
      expect(await conversations.append(id(3), items('b'), fits(3, { expiresAt: at(5_004) }))).toBe('appended')
      expect(await conversations.find(id(2), owner, at(2))).toBeUndefined()
      expect(await conversations.listItems(id(2), all)).toEqual([])
      expect(await conversations.find(id(1), owner, at(2))).toBeDefined()
      expect(await conversations.append(id(1), items('b', 'c'), fits(1, { expiresAt: at(5_005) }))).toBe('appended')
      expect(await conversations.find(id(3), owner, at(2))).toBeUndefined()
      expect(await conversations.listItems(id(1), all)).toEqual(items('a', 'b', 'c'))
      expect(await conversations.find(id(0), other, at(2))).toBeDefined()
      expect(await conversations.find(id(4), owner, at(2))).toBeDefined()
      await conversations.removeItem(id(1), 'a')
      await conversations.removeItem(id(1), 'b')
      await conversations.create(stored(5), 10)
      await conversations.append(id(5), items('a', 'b'), fits(3, { expiresAt: at(5_006) }))
      expect(await conversations.find(id(1), owner, at(2))).toBeDefined()
    })

    it('keeps the length of an owner where replicas add at the same time to conversations that they remove', async () => {
      const replica = alternating(await open(3))
      const numbers = [1, 2, 3, 4, 5, 6]
      for (const number of numbers) await replica(number).create(stored(number), 10)
      const [{ item = '' } = {}] = items('a')
      const maxOwnerLength = 2 * item.length
      const add = (number: number, name: string) =>
        replica(number).append(id(number), items(name), addition({ maxOwnerLength, expiresAt: at(5_000 + number) }))
      const outcomes = await Promise.all(numbers.map((number) => add(number, 'a')))
      expect(outcomes.filter((outcome) => outcome === 'full')).toEqual([])
      await replica(0).create(stored(7), 10)
      await replica(0).append(id(7), items('a'), addition({ maxOwnerLength, expiresAt: at(6_000) }))
      const left = await Promise.all([...numbers, 7].map((number) => replica(0).listItems(id(number), all)))
      expect(left.flat().length).toBeLessThanOrEqual(2)
    })

    it('removes what has expired, and not what had expired before the given time', async () => {
      const conversations = await openOne(open)
      for (let number = 0; number < 120; number += 1) await conversations.create(stored(number), 1_000)
      expect(await conversations.removeExpired(at(1_009), at(1_005))).toBe(5)
      expect(await conversations.removeExpired(at(1_115))).toBe(111)
      expect(await conversations.removeExpired(at(1_115))).toBe(0)
      expect(await conversations.find(id(116), owner, at(2))).toEqual(stored(116))
    })
  })
}
