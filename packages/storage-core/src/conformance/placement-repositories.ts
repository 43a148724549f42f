import { describe, expect, it } from 'vitest'
import { everything, oneOf } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { Volume } from '../volumes/volume.ts'
import { aNode, anSvm, aVolume, nodeId, start, svmId, volumeId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

/** Registers Vitest cases for nodes, storage virtual machines and volumes. */
export function placementRepositoriesConformance(open: OpenReplicas<StorageRepositories>): void {
  describe('node repository', () => {
    it('keeps the first node that is registered under a name', async () => {
      const { nodes } = await openOne(open)
      expect(await nodes.register(aNode(1))).toEqual(aNode(1))
      expect(await nodes.register(aNode(2, { name: 'node1' }))).toEqual(aNode(1))
      expect(await nodes.find(nodeId(1))).toEqual(aNode(1))
      expect(await nodes.find(nodeId(2))).toBeUndefined()
    })

    it('keeps one node when many processes register its name at the same time', async () => {
      const of = alternating(await open(4))
      const kept = await Promise.all(
        Array.from({ length: 8 }, (_, index) => of(index).nodes.register(aNode(index + 1, { name: 'node' }))),
      )
      expect(new Set(kept.map(({ uuid }) => uuid)).size).toBe(1)
      expect(await of(0).nodes.list()).toHaveLength(1)
    })

    it('lists nodes by name', async () => {
      const { nodes } = await openOne(open)
      for (const number of [3, 1, 2]) await nodes.register(aNode(number))
      expect(await nodes.list()).toEqual([aNode(1), aNode(2), aNode(3)])
    })

    it('changes the maximum split load of a node, exactly up to 675 TiB', async () => {
      const { nodes } = await openOne(open)
      await nodes.register(aNode(1))
      expect(await nodes.setSplitLoadMaximum(nodeId(1), 675 * 2 ** 40)).toBe(true)
      expect((await nodes.find(nodeId(1)))?.splitLoadMaximum).toBe(675 * 2 ** 40)
      expect(await nodes.setSplitLoadMaximum(nodeId(9), 4096)).toBe(false)
    })

    it('returns the split load of a node without tokens and splits', async () => {
      const { nodes } = await openOne(open)
      await nodes.register(aNode(1))
      expect(await nodes.splitLoads(start)).toEqual([
        { node: { uuid: nodeId(1), name: 'node1' }, maximum: 2 ** 40, current: 0, tokenReserved: 0 },
      ])
    })
  })

  describe('SVM repository', () => {
    it('keeps the first SVM that is registered under a name', async () => {
      const { svms } = await openOne(open)
      expect(await svms.register(anSvm(1))).toEqual(anSvm(1))
      expect(await svms.register({ ...anSvm(2), name: 'svm1' })).toEqual(anSvm(1))
      expect(await svms.find(svmId(1))).toEqual(anSvm(1))
      expect(await svms.findByName('svm1')).toEqual(anSvm(1))
      expect(await svms.findByName('SVM1')).toBeUndefined()
      expect(await svms.find(svmId(2))).toBeUndefined()
    })

    it('lists SVMs by name', async () => {
      const { svms } = await openOne(open)
      for (const number of [2, 1]) await svms.register(anSvm(number))
      expect(await svms.list()).toEqual([anSvm(1), anSvm(2)])
    })
  })

  describe('volume repository', () => {
    it('keeps the first volume that is registered under a name in an SVM, with its state', async () => {
      const { volumes } = await openOne(open)
      expect(await volumes.register(aVolume(1))).toEqual(aVolume(1))
      expect(await volumes.changeQuotaState(volumeId(1), ['off'], 'on')).toBe(true)
      const kept: Volume = aVolume(1, { quotaState: 'on' })
      expect(await volumes.register(aVolume(2, { name: 'vol1' }))).toEqual(kept)
      expect(await volumes.register(aVolume(3, { name: 'vol1', svm: anSvm(2) }))).toMatchObject({ uuid: volumeId(3) })
      expect(await volumes.find(volumeId(1))).toEqual(kept)
      expect(await volumes.findByName(svmId(1), 'vol1')).toEqual(kept)
      expect(await volumes.findByName(svmId(2), 'vol2')).toBeUndefined()
      expect(await volumes.count(everything)).toBe(2)
    })

    it('changes a quota state only from one of the given states', async () => {
      const { volumes } = await openOne(open)
      await volumes.register(aVolume(1))
      expect(await volumes.changeQuotaState(volumeId(1), ['on', 'resizing'], 'off')).toBe(false)
      expect(await volumes.changeQuotaState(volumeId(1), ['on', 'off'], 'initializing')).toBe(true)
      expect((await volumes.find(volumeId(1)))?.quotaState).toBe('initializing')
      expect(await volumes.changeQuotaState(volumeId(2), ['off'], 'on')).toBe(false)
    })

    it('keeps whether a volume is online, and returns whether that has changed', async () => {
      const { volumes } = await openOne(open)
      await volumes.register(aVolume(1))
      expect(await volumes.changeState(volumeId(1), 'online')).toBe(false)
      expect(await volumes.changeState(volumeId(1), 'offline')).toBe(true)
      expect(await volumes.changeState(volumeId(1), 'offline')).toBe(false)
      expect(await volumes.register(aVolume(1))).toEqual(aVolume(1, { state: 'offline' }))
      const offline = { field: 'state', negated: false, term: { kind: 'equals', value: 'offline' } } as const
      expect(await volumes.count({ all: [{ any: [offline] }] })).toBe(1)
      expect(await volumes.changeState(volumeId(2), 'offline')).toBe(false)
    })

    it('keeps the parent of a clone, by which clones are found', async () => {
      const { volumes } = await openOne(open)
      await volumes.register(aVolume(1))
      const clone = aVolume(2, { parent: { uuid: volumeId(1), name: 'vol1' } })
      expect(await volumes.register(clone)).toEqual(clone)
      expect(await volumes.find(volumeId(2))).toEqual(clone)
      const { records } = await volumes.list({
        query: { all: [oneOf('parentUuid', [volumeId(1)])] },
        order: [],
        limit: 10,
      })
      expect(records).toEqual([clone])
      const isClone = { field: 'parentUuid', negated: true, term: { kind: 'null' } } as const
      expect(await volumes.count({ all: [{ any: [isClone] }] })).toBe(1)
    })

    it('removes a volume, whose name is free then', async () => {
      const { volumes } = await openOne(open)
      await volumes.register(aVolume(1))
      expect(await volumes.remove(volumeId(1))).toBe(true)
      expect(await volumes.remove(volumeId(1))).toBe(false)
      expect(await volumes.find(volumeId(1))).toBeUndefined()
      expect(await volumes.register(aVolume(2, { name: 'vol1' }))).toMatchObject({ uuid: volumeId(2) })
    })

    it('keeps and removes the grace period of a volume', async () => {
      const { volumes } = await openOne(open)
      await volumes.register(aVolume(1))
      await volumes.register(aVolume(2))
      await volumes.changeGracePeriod(volumeId(1), 604_800)
      expect(await volumes.find(volumeId(1))).toEqual(aVolume(1, { gracePeriodSeconds: 604_800 }))
      const short = { field: 'gracePeriodSeconds', negated: false, term: { kind: 'null' } } as const
      expect(await volumes.count({ all: [{ any: [short] }] })).toBe(1)
      await volumes.changeGracePeriod(volumeId(1), undefined)
      expect(await volumes.find(volumeId(1))).toEqual(aVolume(1))
      await volumes.changeGracePeriod(volumeId(3), 1)
    })

    it('stores where the file system of a volume is mounted', async () => {
      const { volumes } = await openOne(open)
      await volumes.register(aVolume(1))
      const mountPoint = `/${'é/'.repeat(2000)}data`
      await volumes.changeMountPoint(volumeId(1), '/srv')
      await volumes.changeMountPoint(volumeId(1), mountPoint)
      expect(await volumes.find(volumeId(1))).toEqual(aVolume(1, { mountPoint }))
      await volumes.changeMountPoint(volumeId(2), '/srv')
      expect(await volumes.find(volumeId(2))).toBeUndefined()
    })

    it('lets one of several processes change a quota state', async () => {
      const of = alternating(await open(4))
      await of(0).volumes.register(aVolume(1))
      const changed = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          of(index).volumes.changeQuotaState(volumeId(1), ['off'], 'initializing'),
        ),
      )
      expect(changed.filter(Boolean)).toHaveLength(1)
    })

    it('lists volumes page by page in the requested order', async () => {
      const { volumes } = await openOne(open)
      for (const number of [1, 2, 3]) await volumes.register(aVolume(number, { name: `v${4 - number}` }))
      const request = { query: everything, order: [{ field: 'name', descending: false }], limit: 2 } as const
      const first = await volumes.list(request)
      expect(first).toEqual({
        records: [aVolume(3, { name: 'v1' }), aVolume(2, { name: 'v2' })],
        next: ['v3', volumeId(1)],
      })
      expect(await volumes.list({ ...request, ...(first.next && { start: first.next }) })).toEqual({
        records: [aVolume(1, { name: 'v3' })],
      })
    })
  })
}
