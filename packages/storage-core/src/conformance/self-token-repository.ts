import { describe, expect, it } from 'vitest'
import { everything, oneOf } from '../query/query.ts'
import type { SelfToken } from '../self-tokens/self-token.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { later, selfTokenId, start } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const aToken = (number: number, changes: Partial<SelfToken> = {}): SelfToken => ({
  uuid: selfTokenId(number),
  user: { name: `user${number}` },
  createdAt: start,
  expiresAt: later(1000 * number),
  ...changes,
})

const hash = (number: number) => String(number).padStart(64, '0')
const firstPage = { query: everything, order: [], limit: 100 }

/** Registers Vitest cases for the tokens of users of one store. */
export function selfTokenRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  describe('repository of tokens of users', () => {
    it('stores tokens, and finds them by the hashes of their secrets', async () => {
      const { selfTokens } = await openOne(open)
      const [one, other] = [aToken(1), aToken(2, { user: { id: '1002' } })]
      expect(await selfTokens.add(one, hash(1), 2)).toBe('added')
      expect(await selfTokens.add(other, hash(2), 2)).toBe('added')
      expect(await selfTokens.ofHash(hash(2))).toEqual(other)
      expect(await selfTokens.ofHash(hash(3))).toBeUndefined()
      expect(await selfTokens.find(selfTokenId(1))).toEqual(one)
      expect(await selfTokens.find(selfTokenId(3))).toBeUndefined()
      expect(await selfTokens.list(firstPage)).toEqual({ records: [one, other] })
      expect(await selfTokens.count({ all: [oneOf('userId', ['1002'])] })).toBe(1)
    })

    it('adds no more tokens than the maximum, from any number of processes', async () => {
      const of = alternating(await open(4))
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, index) => of(index).selfTokens.add(aToken(index), hash(index), 5)),
      )
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(5)
      expect(await of(1).selfTokens.count(everything)).toBe(5)
    })

    it('removes a token, whose secret then finds none', async () => {
      const { selfTokens } = await openOne(open)
      await selfTokens.add(aToken(1), hash(1), 2)
      expect(await selfTokens.remove(selfTokenId(1))).toBe(true)
      expect(await selfTokens.remove(selfTokenId(1))).toBe(false)
      expect(await selfTokens.ofHash(hash(1))).toBeUndefined()
    })

    it('removes the tokens that have expired', async () => {
      const { selfTokens } = await openOne(open)
      for (const number of [1, 2, 3]) await selfTokens.add(aToken(number), hash(number), 10)
      expect(await selfTokens.removeExpired(later(2000))).toBe(2)
      expect((await selfTokens.list(firstPage)).records).toEqual([aToken(3)])
    })
  })
}
