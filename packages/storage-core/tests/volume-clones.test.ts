import { type SimulatedVolume, simulatedVolume } from '@trivium/simulated-volumes'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { QtreeRepository } from '../src/qtrees/qtree-repository.ts'
import type { StorageRepositories } from '../src/storage-repositories.ts'
import type { VolumeBackend } from '../src/volumes/volume-backend.ts'
import { VolumeRefusal } from '../src/volumes/volume-refusal.ts'
import { JOBS, makeQtree, makeRule, type OpenHttp, openHttp, QTREES, RULES, VOLUMES } from './open-http.ts'
import { MiB, until } from './open-storage.ts'

/** A file system whose clones are simulated volumes with the same qtrees. */
function cloneable() {
  const clones = new Map<string, SimulatedVolume>()
  const failures: VolumeRefusal[] = []
  /** What the next scans of clones wait for. */
  const scans: Promise<void>[] = []
  const backend = (volume: SimulatedVolume): VolumeBackend => ({
    ...volume,
    volumeClones: {
      async create({ id }) {
        const [refusal] = failures.splice(0)
        if (refusal) throw refusal
        const clone = clones.get(id) ?? simulatedVolume({ users: { sam: 1001 } })
        clones.set(id, clone)
        for (const name of await volume.listQtrees()) await clone.createQtree(name, { unixPermissions: 755 })
        return {
          ...clone,
          async enableQuota(...limits) {
            await scans.shift()
            return clone.enableQuota(...limits)
          },
        }
      },
      open: async ({ id }) => clones.get(id),
      remove: async ({ id }) => void clones.delete(id),
    },
  })
  return { clones, failures, scans, backend }
}

const fromVol1 = { is_flexclone: true, parent_volume: { name: 'vol1' } }

const cloneBody = (changes = {}) => ({
  name: 'copy',
  svm: { name: 'svm1' },
  clone: fromVol1,
  ...changes,
})

const makeClone = async (http: OpenHttp, changes = {}) => {
  const { status, body, text } = await http.post(`${VOLUMES}?return_timeout=30`, cloneBody(changes))
  if (status !== 201) throw new Error(text)
  return body.records[0]
}

const stores: readonly (readonly [string, () => Promise<StorageRepositories>])[] = [
  ['memory', async () => memoryStorageRepositories()],
  [
    'SQLite',
    async () => {
      const database = await openDatabase('memory:')
      await migrateStorage(database)
      onTestFinished(() => database.close())
      return sqlStorageRepositories(database)
    },
  ],
]

describe.each(stores)('a clone of a volume, stored in %s', (_, openStore) => {
  async function open() {
    const fileSystem = cloneable()
    const repositories = await openStore()
    const http = await openHttp({ backend: fileSystem.backend, repositories })
    await makeQtree(http, 'qt1')
    return { ...fileSystem, repositories, http }
  }

  it('shows a volume of its own, with the qtrees and without the rules of its parent', async () => {
    const { http } = await open()
    await makeRule(http, { space: { hard_limit: MiB } })
    const { uuid } = await makeClone(http)
    const { body } = await http.get(`${VOLUMES}/${uuid}?fields=name,state,clone,quota.state,space`)
    expect(body).toMatchObject({
      name: 'copy',
      state: 'online',
      quota: { state: 'off' },
      clone: {
        is_flexclone: true,
        parent_volume: { uuid: http.vol1.uuid, name: 'vol1' },
        parent_svm: { name: 'svm1' },
      },
      space: { size: expect.any(Number) },
    })
    const qtrees = (await http.get(`${QTREES}?volume.name=copy&fields=name`)).body.records
    expect(qtrees.map(({ name }: { name: string }) => name).toSorted()).toEqual(['', 'qt1'])
    expect((await http.get(`${RULES}?volume.name=copy`)).body.num_records).toBe(0)
    for (const [query, count] of [
      ['clone.parent_volume.name=vol1', 1],
      ['clone.is_flexclone=true', 1],
      ['clone.is_flexclone=false', 2],
    ] as const)
      expect([query, (await http.get(`${VOLUMES}?${query}`)).body.num_records]).toEqual([query, count])
    expect((await http.get(`${VOLUMES}?clone.is_flexclone=perhaps`)).status).toBe(400)
    expect((await http.get(`${VOLUMES}/${http.vol1.uuid}?fields=clone`)).body.clone).toEqual({ is_flexclone: false })
  })

  it('enforces quotas of its own', async () => {
    const { http, clones } = await open()
    const { uuid } = await makeClone(http)
    await makeRule(http, { volume: { name: 'copy' }, space: { hard_limit: MiB } })
    expect((await http.patch(`${VOLUMES}/${uuid}?return_timeout=30`, { quota: { enabled: true } })).status).toBe(200)
    expect(() => clones.get(uuid)?.files.write('qt1/f', { size: 2 * MiB, user: 'sam' })).toThrow('limit')
    expect(
      (await http.get('/api/storage/quota/reports?volume.name=copy&type=tree&qtree.name=qt1')).body.num_records,
    ).toBe(1)
    http.volume.files.write('qt1/f', { size: 2 * MiB, user: 'sam' })
  })

  it('continues after a restart', async () => {
    const { http, backend, repositories } = await open()
    const { uuid } = await makeClone(http)
    await http.storage.close()
    const next = await openHttp({ backend, repositories, volume: http.volume })
    const { body } = await next.get(`${VOLUMES}/${uuid}?fields=space,state`)
    expect(body).toMatchObject({ state: 'online', space: { size: expect.any(Number) } })
    expect((await next.patch(`${VOLUMES}/${uuid}?return_timeout=30`, { quota: { enabled: true } })).status).toBe(200)
  })

  it('takes its rules and qtrees with it when it is deleted, and frees its name', async () => {
    const { http, clones } = await open()
    const { uuid } = await makeClone(http)
    await makeRule(http, { volume: { name: 'copy' }, space: { hard_limit: MiB } })
    await http.patch(`${VOLUMES}/${uuid}?return_timeout=30`, { quota: { enabled: true } })
    expect((await http.delete(`${VOLUMES}/${uuid}?return_timeout=30`)).status).toBe(200)
    expect(clones.size).toBe(0)
    expect((await http.get(`${VOLUMES}/${uuid}`)).status).toBe(404)
    for (const path of [`${RULES}?volume.name=copy`, `${QTREES}?volume.name=copy`, `${VOLUMES}?name=copy`])
      expect((await http.get(path)).body.num_records).toBe(0)
    expect((await makeClone(http)).uuid).not.toBe(uuid)
    expect(http.emitted.map(([name]) => name)).toEqual(expect.arrayContaining(['volume.cloned', 'volume.deleted']))
    expect(http.faults).toEqual([])
  })

  it("answers the requests of NetApp's Ansible module for clones", async () => {
    const { http } = await open()
    const find = `${VOLUMES}?name=copy&svm.name=svm1&fields=clone.is_flexclone,uuid`
    expect((await http.get(find)).body).toMatchObject({ num_records: 0 })
    const made = await http.post(`${VOLUMES}?return_timeout=30&return_records=true`, {
      name: 'copy',
      'clone.parent_volume.name': 'vol1',
      'clone.is_flexclone': true,
      'svm.name': 'svm1',
      'clone.parent_svm.name': 'svm1',
      type: 'rw',
    })
    expect(made).toMatchObject({ status: 201, body: { num_records: 1, records: [{ uuid: expect.any(String) }] } })
    const { uuid } = made.body.records[0]
    const found = await http.get(find)
    expect(found.body).toMatchObject({ records: [{ uuid, name: 'copy', clone: { is_flexclone: true } }] })
    const split = await http.patch(`${VOLUMES}/${uuid}?return_timeout=30`, { 'clone.split_initiated': true })
    expect([split.status, split.body.error]).toEqual([
      400,
      { message: 'A clone of a volume cannot be split.', code: '983203', target: 'clone.split_initiated' },
    ])
    expect((await http.delete(`${VOLUMES}/${uuid}?return_timeout=30`)).status).toBe(200)
  })

  it("answers the requests of NetApp's Python library", async () => {
    const { http } = await open()
    const made = await http.post(VOLUMES, { name: 'copy', svm: { name: 'svm1' }, clone: fromVol1 })
    expect(made.status).toBe(202)
    const { uuid } = made.body.records[0]
    expect(made.headers.get('location')).toBe(`${VOLUMES}/${uuid}`)
    const done = (answer: typeof made) => async () =>
      (await http.get(answer.body.job._links.self.href)).body.state === 'success'
    await until(done(made))
    expect((await http.get(`${VOLUMES}/${uuid}?fields=*`)).body).toMatchObject({ uuid, clone: { is_flexclone: true } })
    // It sends an object as the body of every deletion.
    const deleted = await http.ask('DELETE', `${VOLUMES}/${uuid}`, { body: {} })
    expect(deleted.status).toBe(202)
    await until(done(deleted))
    expect((await http.get(`${VOLUMES}/${uuid}`)).status).toBe(404)
  })

  it('lets others run while many qtrees are stored and removed', async () => {
    const stored = await openStore()
    const { create, remove } = stored.qtrees
    let inTurn = 0
    let most = 0
    const count = () => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0))
      inTurn += 1
      most = Math.max(most, inTurn)
    }
    const qtrees: QtreeRepository = {
      ...stored.qtrees,
      create: (...args) => {
        count()
        return create(...args)
      },
      remove: (...args) => {
        count()
        return remove(...args)
      },
    }
    const volume = simulatedVolume()
    for (let number = 0; number < 200; number += 1) await volume.createQtree(`q${number}`, { unixPermissions: 755 })
    const { backend } = cloneable()
    const http = await openHttp({ volume, backend, repositories: { ...stored, qtrees } })
    await until(async () => (await http.get(`${QTREES}?volume.name=vol1`)).body.num_records === 201)
    const { uuid } = await makeClone(http)
    expect((await http.get(`${QTREES}?volume.name=copy`)).body.num_records).toBe(201)
    expect((await http.delete(`${VOLUMES}/${uuid}?return_timeout=30`)).status).toBe(200)
    expect(most).toBeLessThan(100)
  })

  it('leaves no volume when it cannot be made', async () => {
    const { http, failures } = await open()
    failures.push(new VolumeRefusal('no-space', 'No space is left.'))
    const { status, body } = await http.post(`${VOLUMES}?return_timeout=30`, cloneBody())
    expect([status, body.error.message]).toEqual([409, 'No space is left.'])
    expect((await http.get(`${VOLUMES}?name=copy`)).body.num_records).toBe(0)
    await makeClone(http)
  })

  it.each<[string, unknown, number, string | undefined]>([
    ['a name with a path', { name: '../x' }, 400, 'name'],
    ['an empty name', { name: '' }, 400, 'name'],
    ['a name of 204 characters', { name: 'x'.repeat(204) }, 400, 'name'],
    ['the name of another volume', { name: 'vol2' }, 409, 'name'],
    [
      'a volume that is no clone',
      { clone: { is_flexclone: false, parent_volume: { name: 'vol1' } } },
      400,
      'clone.is_flexclone',
    ],
    ['a volume without a parent', { clone: { is_flexclone: true } }, 400, 'clone.parent_volume'],
    ['an absent parent', { clone: { is_flexclone: true, parent_volume: { name: 'nope' } } }, 404, 'volume'],
    ['no SVM', { svm: undefined }, 400, 'svm'],
    ['a size', { size: 1 }, 400, 'size'],
    ['a volume of the type dp', { type: 'dp' }, 400, 'type'],
    ['the SVM of another parent', { clone: { ...fromVol1, parent_svm: { name: 'svm2' } } }, 400, 'clone.parent_svm'],
    ['an absent SVM of the parent', { clone: { ...fromVol1, parent_svm: { name: 'svm9' } } }, 400, 'clone.parent_svm'],
    ['a split', { clone: { ...fromVol1, split_initiated: true } }, 400, 'clone.split_initiated'],
  ])('refuses %s', async (_case, changes, status, target) => {
    const { http } = await open()
    const answer = await http.post(VOLUMES, cloneBody(changes as object))
    expect([answer.status, answer.body.error?.target]).toEqual([status, target])
    expect((await http.get(VOLUMES)).body.num_records).toBe(2)
  })

  it('refuses a parent whose file system has no clones', async () => {
    const http = await openHttp({
      backend: ({ volumeClones: _, ...volume }) => volume,
      repositories: await openStore(),
    })
    const { status, body } = await http.post(VOLUMES, cloneBody())
    expect([status, body.error.message]).toEqual([400, 'The volume "vol1" cannot be cloned here.'])
  })

  it('refuses to delete a volume of the host, and a clone in use', async () => {
    const { http, scans } = await open()
    expect((await http.delete(`${VOLUMES}/${http.vol1.uuid}`)).body.error.message).toBe(
      'The volume "vol1" is not a clone. Only clones are deleted.',
    )
    const { uuid } = await makeClone(http)
    const counted = Promise.withResolvers<void>()
    scans.push(counted.promise)
    const { job } = (await http.patch(`${VOLUMES}/${uuid}`, { quota: { enabled: true } })).body
    expect((await http.delete(`${VOLUMES}/${uuid}`)).body.error).toMatchObject({
      message: 'Jobs of the volume "copy" have not ended.',
      target: 'uuid',
    })
    counted.resolve()
    await until(async () => (await http.get(`${JOBS}/${job.uuid}?fields=state`)).body.state === 'success')
    expect((await http.delete(`${VOLUMES}/${uuid}?return_timeout=30`)).status).toBe(200)
  })

  it('needs a scope of a user of the host', async () => {
    const fileSystem = cloneable()
    const http = await openHttp(
      { backend: fileSystem.backend, repositories: await openStore() },
      { authorize: { createVolume: () => ({ type: 'user', id: 'ada', volumes: 'all' }) } },
    )
    expect((await http.post(VOLUMES, cloneBody())).status).toBe(403)
  })
})
