import { describe, expect, it } from 'vitest'
import type { ApiKey, ApiKeyHash, ApiKeyId } from '../api-keys/api-key.ts'
import type { ApiKeyRepository } from '../api-keys/api-key-repository.ts'
import type { GroupId } from '../groups/group.ts'
import type { Nanodollars } from '../money/dollars.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const start = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const absent = 'absent' as ApiKeyId // ids are opaque here

/** Registers vitest cases for an `ApiKeyRepository`. Each case opens an empty store. */
export function apiKeyRepositoryConformance(open: OpenReplicas<ApiKeyRepository>): void {
  describe('API key repository', () => {
    it('returns the names of keys, and the usernames of users, that exist', async () => {
      const keys = await openOne(open)
      const grace = { userId: '5e0d1a52-3f0c-8a7b-9c1d-000000000000', username: 'grace' }
      await keys.add(testKey(1, { name: 'größe' }))
      await keys.add(testKey(2))
      await keys.add(testKey(3, grace))
      await keys.add(testKey(4, grace))
      await keys.revoke(testKey(3).id, new Date(start))
      const names = await keys.namesOf([3, 1, 2, 1, 9].map((index) => testKey(index).id))
      expect(new Map(names.map(({ id, ...others }) => [id, others]))).toEqual(
        new Map<ApiKeyId, object>([
          [testKey(1).id, { name: 'größe', username: 'ada' }],
          [testKey(2).id, { username: 'ada' }],
          [testKey(3).id, { username: 'grace' }],
        ]),
      )
      const users = await keys.usernamesOf([grace.userId, testKey(1).userId, 'absent'])
      expect(users).toHaveLength(2)
      expect(new Map(users.map(({ userId, username }) => [userId, username]))).toEqual(
        new Map([
          [testKey(1).userId, 'ada'],
          [grace.userId, 'grace'],
        ]),
      )
      expect(await keys.namesOf([])).toEqual([])
      expect(await keys.usernamesOf([])).toEqual([])
    })

    it('finds an added key by id and by hash, with times to the millisecond', async () => {
      const keys = await openOne(open)
      const key = testKey(1, {
        name: 'laptop',
        budget: { tokensPerMinute: 1_000, tokensPerDay: 2 ** 40 },
        expiresAt: new Date(start + 86_400_123),
      })
      expect(await keys.add(key)).toBe('added')
      expect(await keys.find(key.id)).toEqual(key)
      expect(await keys.findByHash(key.hash)).toEqual(key)
    })

    it('returns a key without the optional fields that it was added without', async () => {
      const keys = await openOne(open)
      const key = testKey(1)
      await keys.add(key)
      const found = await keys.find(key.id)
      for (const field of ['name', 'expiresAt', 'revokedAt', 'lastUsedAt']) expect(found).not.toHaveProperty(field)
      expect(found?.budget).toEqual({})
    })

    it('returns nothing for a key that was never added', async () => {
      const keys = await openOne(open)
      expect(await keys.find(absent)).toBeUndefined()
      expect(await keys.findByHash(hashOf(9))).toBeUndefined()
      expect(await keys.list({ limit: 10 })).toEqual([])
      expect(await keys.change(absent, { name: 'x', rateLimit: 1 })).toBeUndefined()
      expect(await keys.replaceSecret(absent, { hash: hashOf(9), hint: 'tvm_9' })).toBeUndefined()
      expect(await keys.revoke(absent, new Date(start))).toBeUndefined()
      await keys.recordUses([{ id: absent, count: 1, lastUsedAt: new Date(start) }])
      expect(await keys.find(absent)).toBeUndefined()
    })

    it('removes only the keys that were revoked or expired before a time', async () => {
      const keys = await openOne(open)
      const [early, late] = [new Date(start + 1_000), new Date(start + 2_000)]
      for (const key of [
        testKey(1, { name: 'one' }),
        testKey(2, { name: 'two' }),
        testKey(3, { expiresAt: early }),
        testKey(4, { expiresAt: late }),
        testKey(5),
      ]) {
        await keys.add(key)
      }
      await keys.revoke(testKey(1).id, early)
      await keys.revoke(testKey(2).id, late)
      expect(await keys.removeEnded(late)).toBe(2)
      expect((await keys.list({ limit: 10 })).map(({ id }) => id)).toEqual([
        testKey(2).id,
        testKey(4).id,
        testKey(5).id,
      ])
      expect(await keys.findByHash(testKey(1).hash)).toBeUndefined()
      expect(await keys.removeEnded(late)).toBe(0)
      expect(await keys.add(testKey(1, { name: 'one' }))).toBe('added')
    })

    it('proves repeatedly that it is writable, from all replicas at the same time, without changing the keys', async () => {
      const replica = alternating(await open(2))
      const key = testKey(1)
      await replica(0).add(key)
      await Promise.all(Array.from({ length: 20 }, (_, index) => replica(index).proveWritable()))
      expect(await replica(0).list({ limit: 10 })).toEqual([key])
    })

    it('distinguishes names and usernames that differ only in case, accents, width or trailing space', async () => {
      const keys = await openOne(open)
      const names = ['key', 'Key', 'kéy', 'key ', 'ｋｅｙ', 'ключ', '鍵🔑']
      for (const [index, name] of names.entries()) expect(await keys.add(testKey(index, { name }))).toBe('added')
      for (const [index, username] of ['Ada', 'adá'].entries()) {
        expect(await keys.add(testKey(20 + index, { username, name: 'key' }))).toBe('added')
      }
      expect((await keys.list({ limit: 50, username: 'ada' })).map(({ name }) => name)).toEqual(names)
    })

    it('refuses a key whose name the user has already, and stores no part of it', async () => {
      const keys = await openOne(open)
      await keys.add(testKey(1, { name: 'laptop' }))
      expect(await keys.add(testKey(2, { name: 'laptop' }))).toBe('name-taken')
      expect(await keys.find(testKey(2).id)).toBeUndefined()
      expect(await keys.findByHash(testKey(2).hash)).toBeUndefined()
      expect(await keys.add(testKey(3, { name: 'laptop', username: 'grace' }))).toBe('added')
    })

    it('allows any number of keys without a name', async () => {
      const keys = await openOne(open)
      for (let index = 0; index < 3; index += 1) expect(await keys.add(testKey(index))).toBe('added')
    })

    it('adds exactly one of several simultaneous keys with the same name', async () => {
      const replica = alternating(await open(3))
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, index) => replica(index).add(testKey(index, { name: 'wanted' }))),
      )
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1)
      expect(await replica(0).list({ limit: 50 })).toHaveLength(1)
    })

    it('lists keys in pages by creation and then id, of one user or of all', async () => {
      const keys = await openOne(open)
      for (const index of [3, 1, 4, 2, 0]) await keys.add(testKey(index, { createdAt: new Date(start + (index >> 1)) }))
      await keys.add(testKey(7, { username: 'grace', createdAt: new Date(start - 1) }))
      const numbers = [7, 0, 1, 2, 3, 4]
      expect((await keys.list({ limit: 50 })).map(({ id }) => id)).toEqual(numbers.map((index) => testKey(index).id))
      const first = await keys.list({ limit: 2, username: 'ada' })
      expect(first.map(({ id }) => id)).toEqual([testKey(0).id, testKey(1).id])
      const second = await keys.list({ limit: 2, username: 'ada', after: testKey(1).id })
      expect(second.map(({ id }) => id)).toEqual([testKey(2).id, testKey(3).id])
      expect((await keys.list({ limit: 2, username: 'ada', after: testKey(4).id })).map(({ id }) => id)).toEqual([])
      expect(await keys.list({ limit: 2, after: absent })).toEqual([])
    })

    it('renames a key, removes a name, and refuses a name that is taken', async () => {
      const keys = await openOne(open)
      await keys.add(testKey(1, { name: 'laptop' }))
      await keys.add(testKey(2, { name: 'server' }))
      expect(await keys.change(testKey(1).id, { name: 'server' })).toBe('name-taken')
      expect(await keys.change(testKey(1).id, { name: 'laptop' })).toEqual(testKey(1, { name: 'laptop' }))
      expect(await keys.change(testKey(1).id, { name: 'desk' })).toEqual(testKey(1, { name: 'desk' }))
      expect(await keys.change(testKey(2).id, { name: 'laptop' })).toEqual(testKey(2, { name: 'laptop' }))
      const nameless = await keys.change(testKey(2).id, { name: null })
      expect(nameless).toEqual(testKey(2))
      expect(nameless).not.toHaveProperty('name')
      expect(await keys.find(testKey(1).id)).toEqual(testKey(1, { name: 'desk' }))
    })

    it('gives a name to exactly one of several keys that are renamed at the same time', async () => {
      const replica = alternating(await open(3))
      for (let index = 0; index < 6; index += 1) await replica(0).add(testKey(index))
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, (_, index) => replica(index).change(testKey(index).id, { name: 'wanted' })),
      )
      expect(outcomes.filter((outcome) => outcome === 'name-taken')).toHaveLength(5)
    })

    it('stores each rule, limit and label of a key, and finds the keys of a team', async () => {
      const keys = await openOne(open)
      const governed = testKey(1, governedParts)
      await keys.add(governed)
      await keys.add(testKey(2))
      await keys.add(testKey(3, { teamId: 'TEAM-1' as GroupId }))
      expect(await keys.find(governed.id)).toEqual(governed)
      expect(await keys.findByHash(governed.hash)).toEqual(governed)
      expect(await keys.list({ limit: 10, teamId: 'team-1' as GroupId })).toEqual([governed])
      expect(await keys.list({ limit: 10, teamId: 'team-1' as GroupId, username: 'grace' })).toEqual([])
      expect(await keys.find(testKey(2).id)).toEqual(testKey(2))
    })

    it('counts the keys of a user, of a team, or of both, and of these the usable ones', async () => {
      const keys = await openOne(open)
      const teamId = 'team-1' as GroupId
      await keys.add(testKey(1, { teamId }))
      await keys.add(testKey(2, { teamId, expiresAt: new Date(start + 1) }))
      await keys.add(testKey(3, { teamId, expiresAt: new Date(start) }))
      await keys.add(testKey(4, { teamId, username: 'grace' }))
      await keys.add(testKey(5))
      await keys.revoke(testKey(1).id, new Date(start))
      expect(await keys.count({ teamId }, new Date(start))).toEqual({ usable: 2, all: 4 })
      expect(await keys.count({ username: 'ada' }, new Date(start))).toEqual({ usable: 2, all: 4 })
      expect(await keys.count({ username: 'ada', teamId }, new Date(start))).toEqual({ usable: 1, all: 3 })
      expect(await keys.count({ username: 'grace', teamId }, new Date(start))).toEqual({ usable: 1, all: 1 })
      expect(await keys.count({ username: 'Ada' }, new Date(start))).toEqual({ usable: 0, all: 0 })
    })

    it('changes what is given, removes what is null, and keeps the rest', async () => {
      const keys = await openOne(open)
      await keys.add(testKey(1, { ...governedParts, name: 'laptop', expiresAt: new Date(start + 9) }))
      expect(await keys.change(testKey(1).id, {})).toEqual(
        testKey(1, { ...governedParts, name: 'laptop', expiresAt: new Date(start + 9) }),
      )
      const changed = await keys.change(testKey(1).id, {
        rateLimit: 99,
        budget: { tokensPerMinute: null, tokensPerDay: 7, spend: { most: 8 as Nanodollars } },
        policy: { models: null, endpoints: [], disabled: true },
        tags: ['new'],
        teamId: null,
        expiresAt: null,
      })
      const { teamId: _, ...parts } = governedParts
      const { models: __, ...policy } = governedParts.policy
      const expected = testKey(1, {
        ...parts,
        name: 'laptop',
        rateLimit: 99,
        budget: { tokensPerDay: 7, spend: { most: 8 as Nanodollars, period: 'month' }, parallel: 3 },
        policy: { ...policy, endpoints: [], disabled: true },
        tags: ['new'],
      })
      expect(changed).toEqual(expected)
      expect(changed).not.toHaveProperty('expiresAt')
      expect(await keys.find(testKey(1).id)).toEqual(expected)
      const spendless = await keys.change(testKey(1).id, { budget: { spend: null, parallel: null } })
      expect(spendless?.valueOf()).toMatchObject({ budget: { tokensPerDay: 7 } })
      expect(Object.keys(typeof spendless === 'object' ? spendless.budget : {})).toEqual(['tokensPerDay'])
    })

    it('applies all of several changes that replicas make at the same time to different members', async () => {
      const replica = alternating(await open(3))
      await replica(0).add(testKey(1))
      await Promise.all([
        replica(0).change(testKey(1).id, { budget: { tokensPerMinute: 1 } }),
        replica(1).change(testKey(1).id, { budget: { tokensPerDay: 2 } }),
        replica(2).change(testKey(1).id, { policy: { models: ['a'] } }),
        replica(0).change(testKey(1).id, { policy: { endpoints: ['b'] } }),
      ])
      expect(await replica(1).find(testKey(1).id)).toEqual(
        testKey(1, { budget: { tokensPerMinute: 1, tokensPerDay: 2 }, policy: { models: ['a'], endpoints: ['b'] } }),
      )
    })

    it('replaces the secret, so that the old hash finds no key', async () => {
      const keys = await openOne(open)
      await keys.add(testKey(1))
      const secret = { hash: hashOf(100), hint: 'tvm_new0' }
      expect(await keys.replaceSecret(testKey(1).id, secret)).toEqual({ ...testKey(1), ...secret })
      expect(await keys.findByHash(hashOf(1))).toBeUndefined()
      expect(await keys.findByHash(hashOf(100))).toEqual({ ...testKey(1), ...secret })
    })

    it('revokes a key once: keeps the first time, still finds the key, and frees its name', async () => {
      const keys = await openOne(open)
      await keys.add(testKey(1, { name: 'laptop' }))
      const revoked = testKey(1, { name: 'laptop', revokedAt: new Date(start + 5) })
      expect(await keys.revoke(testKey(1).id, new Date(start + 5))).toEqual(revoked)
      expect(await keys.revoke(testKey(1).id, new Date(start + 9))).toEqual(revoked)
      expect(await keys.findByHash(hashOf(1))).toEqual(revoked)
      expect(await keys.add(testKey(2, { name: 'laptop' }))).toBe('added')
      expect(await keys.replaceSecret(testKey(1).id, { hash: hashOf(5), hint: 'tvm_5' })).toBeUndefined()
      expect(await keys.findByHash(hashOf(5))).toBeUndefined()
      expect(await keys.change(testKey(1).id, { name: 'laptop' })).toEqual(revoked)
    })

    it('keeps a key revoked that gets a new secret at the same time', async () => {
      const replica = alternating(await open(2))
      for (let index = 0; index < 8; index += 1) {
        await replica(0).add(testKey(index))
        await Promise.all([
          replica(0).revoke(testKey(index).id, new Date(start)),
          replica(1).replaceSecret(testKey(index).id, { hash: hashOf(100 + index), hint: 'tvm_new0' }),
        ])
        expect((await replica(0).find(testKey(index).id))?.revokedAt).toEqual(new Date(start))
      }
    })

    it('adds the uses of all replicas, and never moves the last use back', async () => {
      const replica = alternating(await open(3))
      await replica(0).add(testKey(1))
      await replica(0).add(testKey(2))
      await Promise.all(
        Array.from({ length: 9 }, (_, index) =>
          replica(index).recordUses([
            { id: testKey(1).id, count: 2, lastUsedAt: new Date(start + 1_000 - index) },
            { id: absent, count: 1, lastUsedAt: new Date(start) },
            { id: testKey(2).id, count: 1, lastUsedAt: new Date(start + index) },
          ]),
        ),
      )
      expect(await replica(1).find(testKey(1).id)).toEqual(
        testKey(1, { usageCount: 18, lastUsedAt: new Date(start + 1_000) }),
      )
      expect(await replica(2).find(testKey(2).id)).toEqual(
        testKey(2, { usageCount: 9, lastUsedAt: new Date(start + 8) }),
      )
      await replica(0).recordUses([])
    })

    it('keeps the uses that are recorded while the key is changed', async () => {
      const replica = alternating(await open(2))
      await replica(0).add(testKey(1))
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 === 0
            ? replica(0).recordUses([{ id: testKey(1).id, count: 1, lastUsedAt: new Date(start) }])
            : replica(1).change(testKey(1).id, { rateLimit: index }),
        ),
      )
      expect((await replica(0).find(testKey(1).id))?.usageCount).toBe(5)
    })

    it('takes and returns copies of keys', async () => {
      const keys = await openOne(open)
      const key = { ...testKey(1), createdAt: new Date(start) }
      await keys.add(key)
      key.createdAt.setTime(0)
      const found = await keys.find(key.id)
      found?.createdAt.setTime(1)
      expect((await keys.find(key.id))?.createdAt).toEqual(new Date(start))
    })
  })
}

const governedParts = {
  teamId: 'team-1' as GroupId,
  budget: { tokensPerMinute: 5, spend: { most: Number.MAX_SAFE_INTEGER as Nanodollars, period: 'month' }, parallel: 3 },
  policy: {
    models: ['openai/*', 'größe "🦉"'],
    deniedModels: [],
    endpoints: ['createChatCompletion'],
    ipRanges: ['10.0.0.0/8', '::1'],
    disabled: false,
  },
  tags: ['red', 'grün'],
  metadata: { 'cost centre': '42', empty: '' },
} satisfies Partial<ApiKey>

const hashOf = (index: number) => index.toString(16).padStart(64, '0') as ApiKeyHash // has the required form

const testKey = (index: number, differences: Partial<ApiKey> = {}): ApiKey => ({
  id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}` as ApiKeyId, // has the required form
  hash: hashOf(index),
  hint: 'tvm_AbCd',
  userId: '5e0d1a52-3f0c-8a7b-9c1d-0123456789ab',
  username: 'ada',
  rateLimit: 10,
  budget: {},
  policy: {},
  createdAt: new Date(start + index),
  usageCount: 0,
  ...differences,
})
