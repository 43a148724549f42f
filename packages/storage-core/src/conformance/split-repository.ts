import { describe, expect, it } from 'vitest'
import { oneOf } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { aNode, anSvm, aSplit, aToken, later, nodeId, splitId, start, tokenId, volumeId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const MAXIMUM = 100 * 4096
const volumes = [volumeId(1), volumeId(2)]
const claim = (owner: string, at = 0) => ({ owner, volumes, now: later(at), leaseUntil: later(at + 1000) })

export function splitRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  const openWithNode = async () => {
    const repositories = await openOne(open)
    await repositories.nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
    return repositories
  }

  describe('split repository', () => {
    it('charges the node for a split while it has load left', async () => {
      const { splits, nodes } = await openWithNode()
      expect(await splits.begin(aSplit(1, { size: MAXIMUM }), start)).toBe('begun')
      expect(await splits.begin(aSplit(2, { size: 1 }), start)).toBe('over-load')
      expect(await nodes.splitLoads(start)).toMatchObject([{ current: MAXIMUM, tokenReserved: 0 }])
      expect(await splits.find(splitId(1))).toEqual(aSplit(1, { size: MAXIMUM }))
      expect(await splits.find(splitId(2))).toBeUndefined()
    })

    it('charges a split once when it is begun again', async () => {
      const { splits, nodes } = await openWithNode()
      await splits.begin(aSplit(1, { size: 60 * 4096 }), start)
      expect(await splits.begin(aSplit(1, { size: 60 * 4096 }), start)).toBe('begun')
      expect(await nodes.splitLoads(start)).toMatchObject([{ current: 60 * 4096 }])
    })

    it('moves load from the token to the split', async () => {
      const { splits, nodes, cloneTokens } = await openWithNode()
      await cloneTokens.reserve(aToken(1, { reserveSize: MAXIMUM }), start)
      const split = aSplit(1, { size: 30 * 4096, token: tokenId(1) })
      expect(await splits.begin(split, start)).toBe('begun')
      expect(await nodes.splitLoads(start)).toMatchObject([{ current: 30 * 4096, tokenReserved: 70 * 4096 }])
      expect((await cloneTokens.find(nodeId(1), tokenId(1), start))?.reserveSize).toBe(70 * 4096)
      expect(await splits.begin(aSplit(2, { size: 71 * 4096, token: tokenId(1) }), start)).toBe('token-too-small')
      expect(await splits.begin(aSplit(2, { token: tokenId(2) }), start)).toBe('token-not-found')
      expect(await splits.begin(aSplit(2, { size: 1, token: tokenId(1) }), later(60_000))).toBe('token-not-found')
    })

    it('never lets many processes spend a token twice', async () => {
      const of = alternating(await open(4))
      await of(0).nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
      await of(0).cloneTokens.reserve(aToken(1, { reserveSize: 10 * 4096 }), start)
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          of(index).splits.begin(aSplit(index, { size: 3 * 4096, token: tokenId(1) }), start),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'begun')).toHaveLength(3)
      expect((await of(1).cloneTokens.find(nodeId(1), tokenId(1), start))?.reserveSize).toBe(4096)
    })

    it('gives the splits of a worker that has ended to other workers', async () => {
      const of = alternating(await open(2))
      await of(0).nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
      for (const number of [1, 2, 3]) {
        await of(0).splits.begin(aSplit(number, { size: 4096 }), start)
        await of(0).splits.open(splitId(number), 'inode')
      }
      const first = await of(0).splits.claim(claim('a'))
      const second = await of(0).splits.claim(claim('b'))
      const third = await of(0).splits.claim(claim('c'))
      if (!first || !second || !third) throw new Error('Nothing was claimed')
      await of(0).splits.release(third.uuid, 'c', { retryAt: later(500) })
      expect([...(await of(1).splits.owners(later(1)))].sort()).toEqual(['a', 'b'])
      await of(1).splits.endLeases('a', later(1))
      await of(1).splits.endLeases('c', later(1))
      expect(await of(1).splits.owners(later(1))).toEqual(['b'])
      const progress = { remaining: 1, position: 0, now: later(1), leaseUntil: later(1000) }
      expect(await of(0).splits.advance(first.uuid, { owner: 'a', ...progress })).toBe('lost')
      expect(await of(0).splits.advance(second.uuid, { owner: 'b', ...progress })).toBe('held')
      expect(await of(1).splits.claim(claim('d', 1))).toMatchObject({ uuid: first.uuid })
      expect(await of(1).splits.claim(claim('d', 1))).toBeUndefined()
    })

    it('returns the load of a cancelled split to its token, or to the node when the token has expired', async () => {
      const { splits, nodes, cloneTokens } = await openWithNode()
      await cloneTokens.reserve(aToken(1, { reserveSize: MAXIMUM }), start)
      await splits.begin(aSplit(1, { size: 4096, token: tokenId(1) }), start)
      await splits.begin(aSplit(2, { size: 4096, token: tokenId(1) }), start)
      await splits.cancel(splitId(1), start)
      await splits.cancel(splitId(1), start)
      expect(await nodes.splitLoads(start)).toMatchObject([{ current: 4096, tokenReserved: MAXIMUM - 4096 }])
      await splits.cancel(splitId(2), later(60_000))
      expect(await nodes.splitLoads(later(60_000))).toMatchObject([{ current: 0, tokenReserved: 0 }])
    })

    it('hands out splits once they are open, the oldest first', async () => {
      const { splits } = await openWithNode()
      for (const number of [1, 2, 3]) await splits.begin(aSplit(number, { size: 4096 }), start)
      expect(await splits.claim(claim('a'))).toBeUndefined()
      expect(await splits.open(splitId(3), 'i3')).toBe(true)
      expect(await splits.open(splitId(2), 'i2')).toBe(true)
      expect(await splits.open(splitId(9), 'i9')).toBe(false)
      expect(await splits.claim(claim('a'))).toEqual(aSplit(2, { size: 4096, identity: 'i2', state: 'running' }))
      expect(await splits.claim(claim('a'))).toMatchObject({ uuid: splitId(3) })
      expect(await splits.claim(claim('a'))).toBeUndefined()
    })

    it('gives a worker only splits of its own volumes', async () => {
      const { splits } = await openWithNode()
      await splits.begin(aSplit(1, { size: 4096 }), start)
      await splits.open(splitId(1), 'i')
      expect(await splits.claim({ ...claim('a'), volumes: [volumeId(2)] })).toBeUndefined()
      expect(await splits.claim({ ...claim('a'), volumes: [] })).toBeUndefined()
    })

    it('gives each split to one of many workers', async () => {
      const of = alternating(await open(4))
      await of(0).nodes.register(aNode(1))
      for (let number = 0; number < 8; number += 1) {
        await of(number).splits.begin(aSplit(number, { size: 4096 }), start)
        await of(number).splits.open(splitId(number), 'i')
      }
      const claimed = await Promise.all(
        Array.from({ length: 16 }, (_, index) => of(index).splits.claim(claim(`${index}`))),
      )
      const uuids = claimed.flatMap((split) => split?.uuid ?? [])
      expect(uuids).toHaveLength(8)
      expect(new Set(uuids).size).toBe(8)
    })

    it('reduces the load as a split advances, and removes the split at its end', async () => {
      const { splits, nodes } = await openWithNode()
      await splits.begin(aSplit(1, { size: 8192 }), start)
      await splits.open(splitId(1), 'i')
      await splits.claim(claim('a'))
      const step = { owner: 'a', remaining: 4096, position: 4096, now: later(500), leaseUntil: later(1500) }
      expect(await splits.advance(splitId(1), step)).toBe('held')
      expect(await nodes.splitLoads(start)).toMatchObject([{ current: 4096 }])
      expect(await splits.find(splitId(1))).toEqual(
        aSplit(1, { size: 8192, remaining: 4096, position: 4096, identity: 'i', state: 'running' }),
      )
      expect(await splits.status()).toEqual([
        { volume: { uuid: volumeId(1), name: 'vol1' }, svm: anSvm(1), pendingSplits: 1, unsplitSize: 4096 },
      ])
      expect(await splits.advance(splitId(1), { ...step, remaining: 0, now: later(1499) })).toBe('held')
      expect(await splits.find(splitId(1))).toBeUndefined()
      expect(await splits.status()).toEqual([])
      expect(await splits.advance(splitId(1), step)).toBe('lost')
    })

    it('hands out a split again that was claimed with a clock one month ahead', async () => {
      const of = alternating(await open(2))
      await of(0).nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
      await of(0).splits.begin(aSplit(1, { size: 8192 }), start)
      await of(0).splits.open(splitId(1), 'i')
      await of(0).splits.claim(claim('ahead', 30 * 86_400_000))
      expect(await of(1).splits.claim(claim('right'))).toMatchObject({ uuid: splitId(1) })
      expect(await of(0).splits.claim(claim('other', 1))).toBeUndefined()
    })

    it('hands out a split again at its last position when its lease ends', async () => {
      const { splits } = await openWithNode()
      await splits.begin(aSplit(1, { size: 8192 }), start)
      await splits.open(splitId(1), 'i')
      await splits.claim(claim('a'))
      const step = { owner: 'a', remaining: 4096, position: 4096, now: later(10), leaseUntil: later(1000) }
      await splits.advance(splitId(1), step)
      expect(await splits.claim(claim('b', 999))).toBeUndefined()
      expect(await splits.claim(claim('b', 1000))).toMatchObject({ remaining: 4096, position: 4096 })
      expect(await splits.advance(splitId(1), { ...step, now: later(1001), leaseUntil: later(9000) })).toBe('lost')
    })

    it('refuses to advance a split after the end of its lease', async () => {
      const { splits } = await openWithNode()
      await splits.begin(aSplit(1, { size: 8192 }), start)
      await splits.open(splitId(1), 'i')
      await splits.claim(claim('a'))
      const late = { owner: 'a', remaining: 0, position: 8192, now: later(1000), leaseUntil: later(3000) }
      expect(await splits.advance(splitId(1), late)).toBe('lost')
      expect(await splits.find(splitId(1))).toMatchObject({ remaining: 8192 })
    })

    it('hands out a released split at the given time', async () => {
      const { splits } = await openWithNode()
      await splits.begin(aSplit(1, { size: 4096 }), start)
      await splits.open(splitId(1), 'i')
      await splits.claim(claim('a'))
      await splits.release(splitId(1), 'b', { retryAt: later(10) })
      expect(await splits.claim(claim('b', 20))).toBeUndefined()
      await splits.release(splitId(1), 'a', { retryAt: later(50) })
      expect(await splits.claim(claim('b', 49))).toBeUndefined()
      expect(await splits.claim(claim('b', 50))).toBeDefined()
    })

    it('claims a split of an existing file without opening it, and refuses a second one of the same file', async () => {
      const { splits, nodes } = await openWithNode()
      expect(await splits.begin(aSplit(1, { size: 4096, identity: 'i' }), start)).toBe('begun')
      expect(await splits.begin(aSplit(2, { size: 4096, identity: 'i' }), start)).toBe('taken')
      const other = { uuid: volumeId(2), name: 'vol2' }
      expect(await splits.begin(aSplit(3, { size: 4096, identity: 'i', volume: other }), start)).toBe('begun')
      expect(await nodes.splitLoads(start)).toMatchObject([{ current: 8192 }])
      expect(await splits.findByFile(volumeId(1), 'i')).toMatchObject({ uuid: splitId(1) })
      expect(await splits.findByFile(volumeId(1), 'other')).toBeUndefined()
      expect(await splits.claim(claim('a'))).toMatchObject({ uuid: splitId(1), state: 'running' })
    })

    it('gives one file one split when many processes ask for it', async () => {
      const of = alternating(await open(4))
      await of(0).nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          of(index).splits.begin(aSplit(index, { size: 4096, identity: 'i' }), start),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'begun')).toHaveLength(1)
      expect(await of(1).nodes.splitLoads(start)).toMatchObject([{ current: 4096 }])
    })

    it('keeps a paused split from workers until it is resumed', async () => {
      const of = alternating(await open(2))
      await of(0).nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
      await of(0).splits.begin(aSplit(1, { size: 4096, identity: 'i' }), start)
      expect(await of(0).splits.pause(splitId(1))).toBe(true)
      expect(await of(1).splits.pause(splitId(1))).toBe(false)
      expect(await of(0).splits.pause(splitId(9))).toBe(false)
      expect(await of(1).splits.claim(claim('a'))).toBeUndefined()
      expect(await of(1).splits.queue(volumeId(1), 10)).toEqual([])
      expect(await of(1).splits.resume(splitId(1))).toBe(true)
      expect(await of(0).splits.resume(splitId(1))).toBe(false)
      expect(await of(0).splits.find(splitId(1))).toMatchObject({ state: 'waiting' })
      expect(await of(0).splits.claim(claim('a'))).toMatchObject({ uuid: splitId(1) })
    })

    it('reports a pause to the worker that holds the split', async () => {
      const of = alternating(await open(2))
      await of(0).nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
      await of(0).splits.begin(aSplit(1, { size: 8192, identity: 'i' }), start)
      await of(0).splits.claim(claim('a'))
      await of(1).splits.pause(splitId(1))
      const step = { owner: 'a', remaining: 4096, position: 4096, now: later(1), leaseUntil: later(1000) }
      expect(await of(0).splits.advance(splitId(1), step)).toBe('paused')
      await of(0).splits.release(splitId(1), 'a', { retryAt: later(30_000), reason: 'left out' })
      const paused = aSplit(1, { size: 8192, remaining: 4096, position: 4096, identity: 'i', state: 'paused' })
      expect(await of(1).splits.find(splitId(1))).toEqual(paused)
      await of(1).splits.resume(splitId(1))
      expect(await of(1).splits.claim(claim('b', 2))).toMatchObject({ position: 4096 })
    })

    it('lets a worker continue a split that is resumed before its slice ends', async () => {
      const { splits } = await openWithNode()
      await splits.begin(aSplit(1, { size: 8192, identity: 'i' }), start)
      await splits.claim(claim('a'))
      await splits.pause(splitId(1))
      await splits.resume(splitId(1))
      expect(await splits.claim(claim('b', 1))).toBeUndefined()
      const step = { owner: 'a', remaining: 4096, position: 4096, rate: 7, now: later(1), leaseUntil: later(1000) }
      expect(await splits.advance(splitId(1), step)).toBe('held')
      expect(await splits.find(splitId(1))).toMatchObject({ state: 'running', rate: 7 })
    })

    it('keeps the reason of a split that waits, until it is claimed', async () => {
      const { splits } = await openWithNode()
      await splits.begin(aSplit(1, { size: 8192, identity: 'i' }), start)
      await splits.claim(claim('a'))
      await splits.release(splitId(1), 'a', { retryAt: later(50), reason: 'The volume is full.' })
      expect(await splits.find(splitId(1))).toMatchObject({ state: 'waiting', reason: 'The volume is full.' })
      await splits.claim(claim('a', 50))
      expect(await splits.find(splitId(1))).toEqual(aSplit(1, { size: 8192, identity: 'i', state: 'running' }))
    })

    it('moves a split to a place among the waiting ones of its volume', async () => {
      const { splits } = await openWithNode()
      const other = { uuid: volumeId(2), name: 'vol2' }
      for (const number of [1, 2, 3, 4])
        await splits.begin(aSplit(number, { size: 4096, identity: `i${number}` }), start)
      await splits.begin(aSplit(5, { size: 4096, identity: 'i5', volume: other }), start)
      const numbers = async () => {
        const queue = await splits.queue(volumeId(1), 10)
        return [1, 2, 3, 4, 5].map((number) => queue.indexOf(splitId(number)) + 1)
      }
      expect(await numbers()).toEqual([1, 2, 3, 4, 0])
      await splits.move(splitId(4), 1)
      expect(await numbers()).toEqual([2, 3, 4, 1, 0])
      await splits.move(splitId(4), 3)
      expect(await numbers()).toEqual([1, 2, 4, 3, 0])
      await splits.move(splitId(1), 99)
      expect(await numbers()).toEqual([4, 1, 3, 2, 0])
      await splits.move(splitId(9), 1)
      expect(await splits.queue(volumeId(1), 1)).toEqual([splitId(2)])
      expect(await splits.queue(volumeId(2), 10)).toEqual([splitId(5)])
      expect(await splits.claim({ ...claim('a'), volumes: [volumeId(1)] })).toMatchObject({ uuid: splitId(2) })
      await splits.begin(aSplit(6, { size: 4096, identity: 'i6' }), start)
      expect((await splits.queue(volumeId(1), 10)).at(-1)).toBe(splitId(6))
    })

    it('keeps the place of a paused split, which can be moved', async () => {
      const { splits } = await openWithNode()
      for (const number of [1, 2, 3]) await splits.begin(aSplit(number, { size: 4096, identity: `i${number}` }), start)
      await splits.pause(splitId(2))
      await splits.pause(splitId(3))
      await splits.move(splitId(3), 1)
      await splits.resume(splitId(3))
      await splits.resume(splitId(2))
      expect(await splits.queue(volumeId(1), 10)).toEqual([3, 1, 2].map(splitId))
    })

    it('returns a cancelled split to one caller, and its worker loses it', async () => {
      const of = alternating(await open(3))
      await of(0).nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
      await of(0).cloneTokens.reserve(aToken(1, { reserveSize: 8192 }), start)
      await of(0).splits.begin(aSplit(1, { size: 8192, identity: 'i', token: tokenId(1) }), start)
      await of(0).splits.claim(claim('a'))
      const step = { owner: 'a', remaining: 4096, position: 4096, now: later(1), leaseUntil: later(1000) }
      await of(0).splits.advance(splitId(1), step)
      const cancelled = await Promise.all([0, 1, 2].map((index) => of(index).splits.cancel(splitId(1), later(2))))
      expect(cancelled.filter((split) => split !== undefined)).toMatchObject([{ uuid: splitId(1), remaining: 4096 }])
      expect(await of(0).splits.advance(splitId(1), { ...step, now: later(3) })).toBe('lost')
      await of(0).splits.release(splitId(1), 'a', { retryAt: later(3) })
      expect(await of(1).nodes.splitLoads(later(3))).toMatchObject([{ current: 0, tokenReserved: 4096 }])
      expect(await of(1).splits.find(splitId(1))).toBeUndefined()
    })

    it('lists and counts splits by their fields, page by page', async () => {
      const { splits } = await openWithNode()
      for (const number of [1, 2, 3])
        await splits.begin(aSplit(number, { size: number * 4096, identity: `i${number}` }), start)
      await splits.pause(splitId(2))
      await splits.claim(claim('a'))
      await splits.release(splitId(1), 'a', { retryAt: later(9), reason: 'The volume is full.' })
      const all = { all: [] }
      const first = await splits.list({ query: all, order: [{ field: 'size', descending: true }], limit: 2 })
      expect(first.records.map(({ uuid }) => uuid)).toEqual([3, 2].map(splitId))
      const start2 = first.next
      const second = await splits.list({
        query: all,
        order: [{ field: 'size', descending: true }],
        limit: 2,
        ...(start2 && { start: start2 }),
      })
      expect(second).toEqual({
        records: [aSplit(1, { size: 4096, identity: 'i1', reason: 'The volume is full.' })],
      })
      expect(await splits.count(all)).toBe(3)
      expect(await splits.count({ all: [oneOf('state', ['paused'])] })).toBe(1)
      expect(await splits.count({ all: [oneOf('volumeUuid', [volumeId(2)])] })).toBe(0)
    })

    it('counts splits by volume, also those that are not open yet', async () => {
      const { splits } = await openWithNode()
      const other = { uuid: volumeId(2), name: 'vol2' }
      await splits.begin(aSplit(1, { size: 4096 }), start)
      await splits.begin(aSplit(2, { size: 8192 }), start)
      await splits.begin(aSplit(3, { size: 4096, volume: other, svm: anSvm(2) }), start)
      const status = await splits.status()
      expect(status.toSorted((a, b) => a.unsplitSize - b.unsplitSize)).toEqual([
        { volume: other, svm: anSvm(2), pendingSplits: 1, unsplitSize: 4096 },
        { volume: { uuid: volumeId(1), name: 'vol1' }, svm: anSvm(1), pendingSplits: 2, unsplitSize: 12_288 },
      ])
    })
  })
}
