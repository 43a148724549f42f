import { describe, expect, it } from 'vitest'
import { MAXIMUM_QTREES } from '../qtrees/qtree.ts'
import { everything } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { aJob, aQtree, volumeId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

export function qtreeRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  describe('qtree repository', () => {
    it('gives a qtree the lowest free id, from 1 on', async () => {
      const { qtrees } = await openOne(open)
      for (const name of ['a', 'b', 'c']) await qtrees.create(aQtree(name))
      await qtrees.remove(volumeId(1), 2)
      expect(await qtrees.create(aQtree('d'))).toEqual({ ...aQtree('d'), id: 2 })
      expect(await qtrees.create(aQtree('e'))).toMatchObject({ id: 4 })
      expect(await qtrees.create(aQtree('a', { volume: { uuid: volumeId(2), name: 'vol2' } }))).toMatchObject({ id: 1 })
    })

    it('gives many processes different ids at the same time', async () => {
      const of = alternating(await open(4))
      const created = await Promise.all(
        Array.from({ length: 12 }, (_, index) => of(index).qtrees.create(aQtree(`qt${index}`))),
      )
      const ids = created.map((qtree) => (typeof qtree === 'object' ? qtree.id : 0))
      expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
    })

    it('refuses a second qtree of a name, from many processes at the same time', async () => {
      const of = alternating(await open(4))
      const created = await Promise.all(Array.from({ length: 8 }, (_, index) => of(index).qtrees.create(aQtree('qt'))))
      expect(created.filter((qtree) => qtree === 'taken')).toHaveLength(7)
      expect(await of(0).qtrees.count(everything)).toBe(1)
    })

    it('adds the job of a qtree together with it, and no job for a refused qtree', async () => {
      const of = alternating(await open(4))
      const created = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          of(index).qtrees.create(aQtree(`qt${index % 4}`), ({ id, name }) =>
            aJob(index, { task: { kind: 'create-qtree', volume: volumeId(1), id, name } }),
          ),
        ),
      )
      const qtrees = created.flatMap((qtree) => (typeof qtree === 'object' ? [qtree] : []))
      const { records } = await of(0).jobs.list({ query: everything, order: [], limit: 100 })
      expect(records.map(({ task }) => task).toSorted(byName)).toEqual(
        qtrees.map(({ id, name }) => ({ kind: 'create-qtree', volume: volumeId(1), id, name })).toSorted(byName),
      )
      expect(qtrees).toHaveLength(4)
    })

    it('keeps the volume itself as the qtree with id 0, once', async () => {
      const { qtrees } = await openOne(open)
      await qtrees.registerVolume({ ...aQtree(''), id: 0 })
      await qtrees.registerVolume({ ...aQtree('', { unixPermissions: 700 }), id: 0 })
      expect(await qtrees.find(volumeId(1), 0)).toEqual({ ...aQtree(''), id: 0 })
      expect(await qtrees.findByName(volumeId(1), '')).toMatchObject({ id: 0 })
      expect(await qtrees.count(everything)).toBe(1)
    })

    it('finds, changes and removes a qtree', async () => {
      const { qtrees } = await openOne(open)
      await qtrees.create(aQtree('a'))
      await qtrees.create(aQtree('b'))
      expect(await qtrees.update(volumeId(1), 1, { name: 'b' })).toBe('taken')
      const changed = { ...aQtree('c', { unixPermissions: 700, securityStyle: 'mixed', exportPolicy: 'p' }), id: 1 }
      expect(
        await qtrees.update(volumeId(1), 1, {
          name: 'c',
          unixPermissions: 700,
          securityStyle: 'mixed',
          exportPolicy: 'p',
        }),
      ).toEqual(changed)
      expect(await qtrees.update(volumeId(1), 1, { name: 'c' })).toEqual(changed)
      expect(await qtrees.findByName(volumeId(1), 'c')).toEqual(changed)
      expect(await qtrees.findByName(volumeId(1), 'a')).toBeUndefined()
      expect(await qtrees.remove(volumeId(1), 1)).toEqual(changed)
      expect(await qtrees.remove(volumeId(1), 1)).toBeUndefined()
      expect(await qtrees.find(volumeId(1), 1)).toBeUndefined()
      expect(await qtrees.update(volumeId(1), 1, { name: 'd' })).toBeUndefined()
    })

    it('lists qtrees by volume and id', async () => {
      const { qtrees } = await openOne(open)
      const other = { uuid: volumeId(2), name: 'vol2' }
      await qtrees.create(aQtree('z', { volume: other }))
      for (const name of ['b', 'a']) await qtrees.create(aQtree(name))
      const { records } = await qtrees.list({ query: everything, order: [], limit: 10 })
      expect(records.map(({ volume, id }) => [volume.uuid, id])).toEqual([
        [volumeId(1), 1],
        [volumeId(1), 2],
        [volumeId(2), 1],
      ])
    })

    it('returns `full` at the maximum number of qtrees', { timeout: 120_000 }, async () => {
      const { qtrees } = await openOne(open)
      await qtrees.registerVolume({ ...aQtree(''), id: 0 })
      for (let number = 1; number < MAXIMUM_QTREES; number += 1) await qtrees.create(aQtree(`qt${number}`))
      expect(await qtrees.create(aQtree('one too many'))).toBe('full')
      await qtrees.remove(volumeId(1), 17)
      expect(await qtrees.create(aQtree('fits'))).toMatchObject({ id: 17 })
    })
  })
}

const byName = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
