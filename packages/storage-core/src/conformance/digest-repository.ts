import { describe, expect, it } from 'vitest'
import { noticeKinds } from '../notices/notice.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { aNotice, later, start } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const recipient = 'ada@example.com'

/** A claim of the digest whose first notice is at least as old as `at - 1000`. */
const claim = (owner: string, at: number) => ({
  recipient,
  kinds: noticeKinds,
  before: later(at - 1000),
  limit: 2,
  owner,
  now: later(at),
  leaseUntil: later(at + 500),
})

/** Registers Vitest cases for the digests of one store. */
export function digestRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  const publish = async ({ notices }: StorageRepositories, ...numbers: readonly number[]) => {
    for (const number of numbers) await notices.publish(aNotice(number), start)
  }

  describe('digest repository', () => {
    it('collects the notices since the recipient was added, once the first is old enough', async () => {
      const repositories = await openOne(open)
      const { digests } = repositories
      await publish(repositories, 1)
      await digests.register(recipient)
      await publish(repositories, 10, 20, 30)
      await digests.register(recipient)
      expect(await digests.claim(claim('a', 1009))).toBeUndefined()
      const digest = await digests.claim(claim('a', 1010))
      expect(digest).toMatchObject({ total: 3, notices: [{ notice: aNotice(10) }, { notice: aNotice(20) }] })
      expect(await digests.claim({ ...claim('a', 1010), recipient: 'grace@example.com' })).toBeUndefined()
    })

    it('continues after what was sent', async () => {
      const repositories = await openOne(open)
      const { digests } = repositories
      await digests.register(recipient)
      await publish(repositories, 10)
      await digests.claim(claim('a', 1010))
      await publish(repositories, 20)
      expect(await digests.sent(recipient, 'b', later(1011))).toBe(false)
      expect(await digests.sent(recipient, 'a', later(1011))).toBe(true)
      expect(await digests.claim(claim('a', 1019))).toBeUndefined()
      expect(await digests.claim(claim('a', 1020))).toMatchObject({ total: 1, notices: [{ notice: aNotice(20) }] })
    })

    it('returns the same digest again that was not sent, without later notices', async () => {
      const of = alternating(await open(2))
      await of(0).digests.register(recipient)
      await publish(of(0), 10, 20)
      const first = await of(0).digests.claim(claim('a', 1010))
      await publish(of(0), 30)
      expect(await of(1).digests.claim(claim('b', 1509))).toBeUndefined()
      expect(await of(1).digests.claim(claim('b', 1510))).toEqual(first)
      expect(await of(0).digests.sent(recipient, 'a', later(1511))).toBe(false)
      await of(1).digests.release(recipient, 'b', later(5000))
      expect(await of(0).digests.claim(claim('a', 4999))).toBeUndefined()
      expect(await of(0).digests.claim(claim('a', 5000))).toEqual(first)
      await of(0).digests.sent(recipient, 'a', later(5001))
      expect(await of(1).digests.claim(claim('b', 5001))).toMatchObject({
        total: 1,
        notices: [{ notice: aNotice(30) }],
      })
    })

    it('collects only the kinds of the recipient', async () => {
      const { digests, notices } = await openOne(open)
      await digests.register(recipient)
      await notices.publish(aNotice(1), start)
      await notices.publish(aNotice(2, { kind: 'grace-ended' }), start)
      const request = { ...claim('a', 9000), kinds: ['grace-ended'] } as const
      expect(await digests.claim(request)).toMatchObject({ total: 1, notices: [{ notice: { kind: 'grace-ended' } }] })
      await digests.sent(recipient, 'a', later(9001))
      expect(await digests.claim(claim('a', 9001))).toBeUndefined()
    })

    it('gives a digest to one of many workers', async () => {
      const of = alternating(await open(4))
      await Promise.all([0, 1, 2, 3].map((index) => of(index).digests.register(recipient)))
      await publish(of(0), 1)
      const claimed = await Promise.all(
        Array.from({ length: 8 }, (_, index) => of(index).digests.claim(claim(`${index}`, 9000))),
      )
      expect(claimed.filter((digest) => digest !== undefined)).toHaveLength(1)
    })

    it('gives the digests of a worker that has ended to other workers', async () => {
      const repositories = await openOne(open)
      const { digests } = repositories
      await digests.register(recipient)
      await publish(repositories, 1)
      await digests.claim(claim('a', 9000))
      expect(await digests.owners(later(9001))).toEqual(['a'])
      await digests.endLeases('a', later(9001))
      expect(await digests.owners(later(9001))).toEqual([])
      expect(await digests.claim(claim('b', 9001))).toMatchObject({ total: 1 })
    })

    it('returns an empty digest where its notices were removed', async () => {
      const repositories = await openOne(open)
      const { digests, notices } = repositories
      await digests.register(recipient)
      await publish(repositories, 1)
      await digests.claim(claim('a', 9000))
      await digests.release(recipient, 'a', later(9000))
      await notices.trim(later(2), 100)
      expect(await digests.claim(claim('a', 9000))).toMatchObject({ total: 0, notices: [] })
    })
  })
}
