import { describe, expect, it } from 'vitest'
import { everything, oneOf } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { aNode, aSplit, aToken, later, nodeId, splitId, start, tokenId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const MAXIMUM = 100 * 4096

/** Registers Vitest cases for the clone tokens of one store. */
export function cloneTokenRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  const openWithNode = async () => {
    const repositories = await openOne(open)
    await repositories.nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
    return repositories
  }

  describe('clone token repository', () => {
    it('finds a reserved token, with its expiry to the millisecond', async () => {
      const { cloneTokens } = await openWithNode()
      const token = aToken(1, { reserveSize: 4096 })
      expect(await cloneTokens.reserve(token, start)).toBe('reserved')
      expect(await cloneTokens.find(nodeId(1), tokenId(1), start)).toEqual(token)
      expect(await cloneTokens.find(nodeId(2), tokenId(1), start)).toBeUndefined()
      expect(await cloneTokens.find(nodeId(1), tokenId(2), start)).toBeUndefined()
    })

    it('keeps the owner of a token, and lists the tokens of one', async () => {
      const { cloneTokens } = await openWithNode()
      const owners = ['ada', 'Ada', undefined, 'grace', 'ada']
      const tokens = owners.map((ownerId, index) =>
        aToken(index, { reserveSize: 4096, ...(ownerId !== undefined && { ownerId }) }),
      )
      for (const token of tokens) await cloneTokens.reserve(token, start)
      const query = { all: [oneOf('ownerId', ['ada'])] }
      const own = [tokens[0], tokens[4]]
      expect(await cloneTokens.list({ query, order: [], limit: 9 }, start)).toEqual({ records: own })
      expect(await cloneTokens.count(query, start)).toBe(2)
      expect(await cloneTokens.list({ query: everything, order: [], limit: 9 }, start)).toEqual({ records: tokens })
      const expiry = { lifetimeSeconds: 90, expiresAt: later(90_000) }
      expect(await cloneTokens.changeExpiry(nodeId(1), tokenId(0), expiry, start)).toMatchObject({ ownerId: 'ada' })
    })

    it('reserves no more than the maximum', async () => {
      const { cloneTokens, nodes } = await openWithNode()
      expect(await cloneTokens.reserve(aToken(1, { reserveSize: MAXIMUM + 1 }), start)).toBe('over-load')
      expect(await cloneTokens.reserve(aToken(1, { reserveSize: MAXIMUM - 4096 }), start)).toBe('reserved')
      expect(await cloneTokens.reserve(aToken(2, { reserveSize: 4097 }), start)).toBe('over-load')
      expect(await cloneTokens.reserve(aToken(2, { reserveSize: 4096 }), start)).toBe('reserved')
      expect(await cloneTokens.count(everything, start)).toBe(2)
      expect(await nodes.splitLoads(start)).toMatchObject([{ maximum: MAXIMUM, current: 0, tokenReserved: MAXIMUM }])
    })

    it('reserves nothing on an unknown node', async () => {
      const { cloneTokens } = await openWithNode()
      const node = { uuid: nodeId(9), name: 'node9' }
      expect(await cloneTokens.reserve(aToken(1, { node }), start)).toBe('node-not-found')
    })

    it('counts what unfinished splits hold, without counting load of a token twice', async () => {
      const { cloneTokens, splits } = await openWithNode()
      await splits.begin(aSplit(1, { size: 60 * 4096 }), start)
      expect(await cloneTokens.reserve(aToken(1, { reserveSize: 41 * 4096 }), start)).toBe('over-load')
      expect(await cloneTokens.reserve(aToken(1, { reserveSize: 40 * 4096 }), start)).toBe('reserved')
      const charged = aSplit(2, { size: 40 * 4096, token: tokenId(1) })
      expect(await splits.begin(charged, start)).toBe('begun')
      await splits.cancel(splitId(1), start)
      expect(await cloneTokens.reserve(aToken(2, { reserveSize: 60 * 4096 }), start)).toBe('reserved')
    })

    it('applies a changed maximum, and keeps its tokens when the maximum falls below what is in use', async () => {
      const { cloneTokens, nodes } = await openWithNode()
      await cloneTokens.reserve(aToken(1, { reserveSize: MAXIMUM }), start)
      await nodes.setSplitLoadMaximum(nodeId(1), 4096)
      expect(await cloneTokens.reserve(aToken(2, { reserveSize: 4096 }), start)).toBe('over-load')
      expect(await cloneTokens.find(nodeId(1), tokenId(1), start)).toBeDefined()
      await nodes.setSplitLoadMaximum(nodeId(1), MAXIMUM + 4096)
      expect(await cloneTokens.reserve(aToken(2, { reserveSize: 4096 }), start)).toBe('reserved')
    })

    it('never lets many processes reserve more than the maximum together', async () => {
      const replicas = await open(4)
      const of = alternating(replicas)
      await of(0).nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          of(index).cloneTokens.reserve(aToken(index, { reserveSize: 7 * 4096 }), start),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(14)
      const [load] = await of(1).nodes.splitLoads(start)
      expect(load?.tokenReserved).toBe(14 * 7 * 4096)
    })

    it('never lets tokens and clones together take more than the maximum', async () => {
      const of = alternating(await open(4))
      await of(0).nodes.register(aNode(1, { splitLoadMaximum: MAXIMUM }))
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          index % 2 === 0
            ? of(index >> 1).cloneTokens.reserve(aToken(index, { reserveSize: 9 * 4096 }), start)
            : of(index >> 1).splits.begin(aSplit(index, { size: 9 * 4096 }), start),
        ),
      )
      const [load] = await of(1).nodes.splitLoads(start)
      expect((load?.tokenReserved ?? 0) + (load?.current ?? 0)).toBe(99 * 4096)
    })

    it('returns, counts and charges no expired token', async () => {
      const { cloneTokens, nodes } = await openWithNode()
      await cloneTokens.reserve(aToken(1, { reserveSize: MAXIMUM, expiresAt: later(1000) }), start)
      expect(await cloneTokens.find(nodeId(1), tokenId(1), later(999))).toBeDefined()
      const end = later(1000)
      expect(await cloneTokens.find(nodeId(1), tokenId(1), end)).toBeUndefined()
      expect(await cloneTokens.list({ query: everything, order: [], limit: 9 }, end)).toEqual({ records: [] })
      expect(await cloneTokens.count(everything, end)).toBe(0)
      const expiry = { lifetimeSeconds: 9, expiresAt: later(9000) }
      expect(await cloneTokens.changeExpiry(nodeId(1), tokenId(1), expiry, end)).toBeUndefined()
      expect(await cloneTokens.remove(nodeId(1), tokenId(1), end)).toBeUndefined()
      expect(await nodes.splitLoads(end)).toMatchObject([{ tokenReserved: 0 }])
      expect(await cloneTokens.reserve(aToken(2, { reserveSize: MAXIMUM }), end)).toBe('reserved')
    })

    it('changes the expiry of a token', async () => {
      const { cloneTokens } = await openWithNode()
      const token = aToken(1, { reserveSize: 4096 })
      await cloneTokens.reserve(token, start)
      const expiry = { lifetimeSeconds: 4200, expiresAt: later(4_200_000) }
      expect(await cloneTokens.changeExpiry(nodeId(1), tokenId(1), expiry, later(1))).toEqual({ ...token, ...expiry })
      expect(await cloneTokens.find(nodeId(1), tokenId(1), later(4_199_999))).toEqual({ ...token, ...expiry })
      expect(await cloneTokens.changeExpiry(nodeId(1), tokenId(9), expiry, start)).toBeUndefined()
    })

    it('removes a token once', async () => {
      const { cloneTokens } = await openWithNode()
      await cloneTokens.reserve(aToken(1), start)
      await cloneTokens.reserve(aToken(1, { reserveSize: MAXIMUM }), start)
      expect(await cloneTokens.remove(nodeId(1), tokenId(1), start)).toMatchObject({ reserveSize: MAXIMUM })
      expect(await cloneTokens.remove(nodeId(1), tokenId(1), start)).toBeUndefined()
    })

    it('removes only tokens that have expired since the given time', async () => {
      const { nodes, cloneTokens } = await openOne(open)
      await nodes.register(aNode(1))
      for (const time of [499, 500, 600, 601]) {
        await cloneTokens.reserve(aToken(time, { expiresAt: later(time) }), start)
      }
      const removed = await cloneTokens.removeExpired(later(600), later(500))
      expect(removed.map(({ uuid }) => uuid)).toEqual([tokenId(500), tokenId(600)])
      expect(await cloneTokens.count(everything, start)).toBe(2)
    })

    it('returns each removed token to one of many processes', async () => {
      const of = alternating(await open(4))
      await of(0).nodes.register(aNode(1))
      for (let number = 0; number < 20; number += 1) {
        await of(number).cloneTokens.reserve(aToken(number, { expiresAt: later(number < 10 ? 500 : 2000) }), start)
      }
      const removed = await Promise.all(
        Array.from({ length: 8 }, (_, index) => of(index).cloneTokens.removeExpired(later(500))),
      )
      expect(
        removed
          .flat()
          .map(({ uuid }) => uuid)
          .toSorted(),
      ).toEqual(Array.from({ length: 10 }, (_, index) => tokenId(index)))
      expect(await of(0).cloneTokens.count(everything, later(500))).toBe(10)
    })

    it('lists tokens page by page, ordered by expiry', async () => {
      const { cloneTokens } = await openWithNode()
      for (const [number, seconds] of [30, 10, 20].entries()) {
        await cloneTokens.reserve(aToken(number, { reserveSize: 4096, expiresAt: later(seconds * 1000) }), start)
      }
      const request = { query: everything, order: [{ field: 'expiresAt', descending: true }], limit: 2 } as const
      const { records, next } = await cloneTokens.list(request, start)
      expect(records.map(({ uuid }) => uuid)).toEqual([tokenId(0), tokenId(2)])
      expect(next).toEqual([later(10_000).getTime(), nodeId(1), tokenId(1)])
    })
  })
}
