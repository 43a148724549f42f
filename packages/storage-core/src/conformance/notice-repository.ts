import { describe, expect, it } from 'vitest'
import type { Notice } from '../notices/notice.ts'
import { everything, oneOf } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { aNotice, anSvm, later, start, volumeId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const firstPage = { query: everything, order: [], limit: 100 }

/** Registers Vitest cases for the notices of one store. */
export function noticeRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  describe('notice repository', () => {
    it('lists a published notice with all of its members', async () => {
      const { notices } = await openOne(open)
      const notice: Notice = {
        id: 'x'.repeat(128),
        kind: 'soft-limit-exceeded',
        at: later(1),
        svm: anSvm(1),
        volume: { uuid: volumeId(1), name: 'vol1' },
        target: { kind: 'users', users: [{ name: 'ada' }], qtree: 'qt1' },
        principal: { id: '1000', name: 'ada' },
        limit: 'spaceSoft',
        percent: 80,
        used: 5,
        allowed: 4,
        graceEndsAt: later(9),
        path: 'a/b',
        reason: 'The disk — "sda" — is full.',
      }
      expect(await notices.publish(notice, start)).toBe('published')
      const { records } = await notices.list(firstPage)
      expect(records).toEqual([{ number: expect.any(Number), notice }])
    })

    it('stores a notice once, by its id', async () => {
      const { notices } = await openOne(open)
      expect(await notices.publish(aNotice(1), start)).toBe('published')
      expect(await notices.publish({ ...aNotice(1), kind: 'test' }, start)).toBe('known')
      expect(await notices.count(everything)).toBe(1)
      const { records } = await notices.list(firstPage)
      expect(records.map(({ notice }) => notice)).toEqual([aNotice(1)])
    })

    it('numbers notices in the order of their publication', async () => {
      const of = alternating(await open(4))
      for (let number = 0; number < 8; number += 1) await of(number).notices.publish(aNotice(8 - number), start)
      const { records } = await of(1).notices.list(firstPage)
      expect(records.map(({ notice }) => notice.id)).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((one) => aNotice(one).id))
      const numbers = records.map(({ number }) => number)
      expect(numbers).toEqual(numbers.toSorted((left, right) => left - right))
    })

    it('stores each of many equal and concurrent notices once', async () => {
      const of = alternating(await open(4))
      const outcomes = await Promise.all(
        Array.from({ length: 16 }, (_, index) => of(index).notices.publish(aNotice(index % 4), start)),
      )
      expect(outcomes.filter((outcome) => outcome === 'published')).toHaveLength(4)
      expect(await of(0).notices.count(everything)).toBe(4)
    })

    it('finds notices by kind, time and volume', async () => {
      const { notices } = await openOne(open)
      const { volume: _, ...without } = aNotice(3)
      await notices.publish(aNotice(1), start)
      await notices.publish(aNotice(2, { volume: { uuid: volumeId(2), name: 'vol2' }, kind: 'test' }), start)
      await notices.publish(without, start)
      const ids = async (query: Parameters<typeof notices.count>[0]) =>
        (await notices.list({ ...firstPage, query })).records.map(({ notice }) => notice.id)
      expect(await ids({ all: [oneOf('volumeUuid', [volumeId(2)])] })).toEqual([aNotice(2).id])
      expect(await ids({ all: [oneOf('kind', ['test'])] })).toEqual([aNotice(2).id])
      const unset = { field: 'volumeName', negated: false, term: { kind: 'null' } } as const
      expect(await ids({ all: [{ any: [unset] }] })).toEqual([without.id])
      const newer = { kind: 'compare', operator: '>', value: later(1).getTime() } as const
      expect(await ids({ all: [{ any: [{ field: 'at', negated: false, term: newer }] }] })).toEqual([
        aNotice(2).id,
        without.id,
      ])
    })

    it('removes old notices, and the first of too many', async () => {
      const { notices } = await openOne(open)
      for (let number = 1; number <= 6; number += 1) await notices.publish(aNotice(number), start)
      expect(await notices.trim(later(3), 10)).toBe(2)
      expect(await notices.trim(later(3), 4)).toBe(0)
      expect(await notices.trim(later(3), 3)).toBe(1)
      const { records } = await notices.list(firstPage)
      expect(records.map(({ notice }) => notice.id)).toEqual([4, 5, 6].map((one) => aNotice(one).id))
    })
  })
}
