import { simulatedVolume } from '@trivium/simulated-volumes'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it } from 'vitest'
import { VolumeRefusal } from '../src/volumes/volume-refusal.ts'
import { nodeOf, type OpenHttp, openHttp, TOKENS, VOLUMES } from './open-http.ts'
import { createClock, MiB, openStorage, until } from './open-storage.ts'

const CLONE = '/api/storage/file/clone'
const SPLITS = `${CLONE}/splits`
const vol1 = { volume: { name: 'vol1' } }

async function clone(http: OpenHttp, destination: string, more: object = {}) {
  const body = { ...vol1, source_path: 'f', destination_path: destination, ...more }
  return http.post(`${CLONE}?return_timeout=30`, body)
}

const split = (http: OpenHttp, path: string, more: object = {}) => http.post(SPLITS, { ...vol1, path, ...more })
const all = async (http: OpenHttp) => (await http.get(`${SPLITS}?fields=*&order_by=path`)).body.records
const load = async (http: OpenHttp) => (await http.get(`${CLONE}/split-loads?fields=*`)).body.records[0].load
const used = async ({ volume }: OpenHttp) => (await volume.space()).used
const isIdle = (http: OpenHttp) => async () => (await all(http)).length === 0

/** A backend whose slices wait until `proceed` lets one pass. */
function heldSlices() {
  const waiting: (() => void)[] = []
  let passed = 0
  return {
    backend: (one: ReturnType<typeof simulatedVolume>) => ({
      ...one,
      unshare: async (...request: Parameters<typeof one.unshare>) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          request[1].signal.addEventListener('abort', () => resolve())
        })
        const slice = await one.unshare(...request)
        passed += 1
        return slice
      },
    }),
    isWaiting: () => waiting.length > 0,
    passed: () => passed,
    proceed: () => waiting.shift()?.(),
  }
}

describe('a clone without a split', () => {
  it('shares its blocks, and charges nothing', async () => {
    const http = await openHttp({ nodes: [{ name: 'node1', splitLoadMaximum: 4 * MiB }] })
    http.volume.files.write('f', { size: 8 * MiB })
    for (const name of ['c1', 'c2', 'c3']) expect((await clone(http, name)).status).toBe(201)
    expect((await clone(http, 'c4', { split: false })).status).toBe(201)
    expect(await used(http)).toBe(8 * MiB)
    expect(await load(http)).toMatchObject({ current: 0, allowable: 4 * MiB })
    expect(http.emitted.filter(([name]) => name.startsWith('split.'))).toEqual([])
    expect((await http.get(SPLITS)).body).toMatchObject({ num_records: 0 })
  })

  it('begins a split with `split`, which the maximum of the node can refuse', async () => {
    const http = await openHttp({ nodes: [{ name: 'node1', splitLoadMaximum: 4 * MiB }] })
    http.volume.files.write('f', { size: 8 * MiB })
    expect(await clone(http, 'c', { split: true })).toMatchObject({
      status: 409,
      body: { error: { code: '13565952', message: 'Node "node1" is at its maximum split load (EBUSY).' } },
    })
    http.volume.files.truncate('f', 4 * MiB)
    expect((await clone(http, 'c', { split: true })).status).toBe(201)
    await until(isIdle(http))
    expect(await used(http)).toBe(8 * MiB)
  })

  it('refuses a token', async () => {
    const http = await openHttp()
    http.volume.files.write('f', { size: MiB })
    const token = (await http.post(TOKENS, { node: { uuid: await nodeOf(http) }, reserve_size: '2M' })).body.records[0]
    const refused = await clone(http, 'c', { split: false, token_uuid: token.uuid })
    expect(refused).toMatchObject({ status: 400, body: { error: { target: 'split' } } })
    expect((await clone(http, 'c', { token_uuid: token.uuid })).status).toBe(201)
    await until(isIdle(http))
    expect(await used(http)).toBe(2 * MiB)
  })
})

describe('the split of a file', () => {
  it('charges its shared bytes, and is returned with its address', async () => {
    const { backend, isWaiting, proceed } = heldSlices()
    const http = await openHttp({ backend, splitSliceSize: MiB })
    http.volume.files.write('f', { size: 4 * MiB })
    await clone(http, 'c')
    http.volume.files.write('c', { size: MiB, offset: 0 })
    const made = await split(http, './c')
    expect(made).toMatchObject({
      status: 201,
      body: {
        num_records: 1,
        records: [
          {
            path: 'c',
            size: 3 * MiB,
            state: 'waiting',
            bytes: { total: 3 * MiB, done: 0, left: 3 * MiB },
            start_time: '2026-01-02T03:04:05+00:00',
            volume: { name: 'vol1' },
            svm: { name: 'svm1' },
            node: { name: 'node1' },
          },
        ],
      },
    })
    const [{ uuid, _links }] = made.body.records
    expect(made.headers.get('location')).toBe(`${SPLITS}/${uuid}`)
    expect(_links.self.href).toBe(`${SPLITS}/${uuid}`)
    await until(isWaiting)
    const running = (await http.get(`${SPLITS}/${uuid}`)).body
    expect(running).toMatchObject({ state: 'running' })
    expect(running).not.toHaveProperty('time_left')
    expect(running).not.toHaveProperty('order')
    expect(await load(http)).toMatchObject({ current: 3 * MiB })
    http.clock.advance(10)
    proceed()
    await until(isWaiting)
    expect((await http.get(`${SPLITS}/${uuid}`)).body).toMatchObject({
      bytes: { total: 3 * MiB, done: MiB, left: 2 * MiB },
      time_left: 'PT20S',
    })
    expect(await split(http, 'c')).toMatchObject({ status: 409, body: { error: { code: '1' } } })
    proceed()
    await until(isWaiting)
    proceed()
    await until(isIdle(http))
    expect((await http.get(`${SPLITS}/${uuid}`)).status).toBe(404)
    expect(await load(http)).toMatchObject({ current: 0 })
    expect(await used(http)).toBe(8 * MiB)
  })

  it('gives a source and its only clone blocks of their own', async () => {
    const http = await openHttp()
    http.volume.files.write('f', { size: MiB })
    await clone(http, 'c')
    expect((await split(http, 'f')).status).toBe(201)
    await until(isIdle(http))
    expect(await split(http, 'c')).toMatchObject({ status: 200, body: { num_records: 0, records: [] } })
    expect(http.volume.files.contents('c')).toBe(http.volume.files.contents('f'))
  })

  it('charges a token, and fails when the token or the node has not enough', async () => {
    const http = await openHttp({ nodes: [{ name: 'node1', splitLoadMaximum: 10 * MiB }] })
    http.volume.files.write('f', { size: 8 * MiB })
    await clone(http, 'c')
    const token = (await http.post(TOKENS, { node: { uuid: await nodeOf(http) }, reserve_size: '9M' })).body.records[0]
    expect(await split(http, 'c')).toMatchObject({ status: 409, body: { error: { code: '13565952' } } })
    const absent = { token_uuid: 'absent' }
    expect(await split(http, 'c', absent)).toMatchObject({ status: 404, body: { error: { target: 'token_uuid' } } })
    expect((await split(http, 'c', { token_uuid: token.uuid })).status).toBe(201)
    await until(isIdle(http))
    expect((await http.get(token._links.self.href)).body.reserve_size).toBe(MiB)
    await clone(http, 'd')
    const refused = await split(http, 'd', { token_uuid: token.uuid })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: '13565952', target: 'token_uuid' } } })
  })

  it.each([
    [{ path: 'absent' }, 404, '917864'],
    [{ path: '/f' }, 400, '917812'],
    [{ path: '../f' }, 400, '917812'],
    [{ path: 'd' }, 400, '13565952'],
    [{ path: 'out/f' }, 400, '917812'],
    [{ path: 'f', volume: { name: 'absent' } }, 404, '917927'],
    [{ path: 'f', token: 'x' }, 400, '262179'],
    [{}, 400, '262177'],
  ])('refuses %j', async (body, status, code) => {
    const http = await openHttp()
    http.volume.files.makeDirectory('d')
    http.volume.files.link('out', '/etc')
    expect(await http.post(SPLITS, { ...vol1, ...body })).toMatchObject({ status, body: { error: { code } } })
    expect((await http.get(SPLITS)).body.num_records).toBe(0)
  })

  it('answers 503 in a process that does not reach the volume', async () => {
    const repositories = memoryStorageRepositories()
    const first = await openHttp({ repositories })
    const other = await openHttp({ repositories, volumes: [] })
    expect((await split(other, 'f')).status).toBe(503)
    expect((await other.get(`${VOLUMES}/${first.vol1.uuid}/files/f`)).status).toBe(503)
  })
})

describe('a split that is paused', () => {
  it('stops in the process that runs it after its slice, and continues at its place', async () => {
    const [repositories, volume, clock] = [memoryStorageRepositories(), simulatedVolume(), createClock()]
    volume.files.write('f', { size: 4 * MiB })
    const slices = heldSlices()
    const shared = { repositories, volume, clock, splitSliceSize: MiB }
    const worker = await openHttp({ ...shared, backend: slices.backend })
    await clone(worker, 'c', { split: true })
    await until(slices.isWaiting)
    const other = await openHttp({ ...shared, backend: slices.backend })
    const [{ uuid }] = await all(other)
    expect((await other.patch(`${SPLITS}/${uuid}`, { state: 'paused' })).status).toBe(200)
    expect(await all(worker)).toMatchObject([{ state: 'paused', bytes: { left: 4 * MiB } }])
    slices.proceed()
    await until(async () => (await all(other))[0].bytes.left === 3 * MiB)
    await until(async () => (await repositories.splits.owners(clock.now())).length === 0)
    expect(slices.isWaiting()).toBe(false)
    expect(await load(other)).toMatchObject({ current: 3 * MiB })
    expect((await other.patch(`${SPLITS}/${uuid}`, { state: 'waiting' })).status).toBe(200)
    await until(slices.isWaiting)
    expect(await all(worker)).toMatchObject([{ state: 'running', bytes: { done: MiB } }])
    expect(other.emitted.map(([name]) => name).filter((name) => /paused|resumed/.test(name))).toEqual([
      'split.paused',
      'split.resumed',
    ])
    while ((await all(other)).length > 0) {
      slices.proceed()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await volume.space()).used).toBe(8 * MiB)
    expect([...worker.faults, ...other.faults]).toEqual([])
  })

  it('refuses a change that is empty or out of its bounds', async () => {
    const http = await openHttp({ splitFloor: '100%' })
    http.volume.files.write('f', { size: MiB })
    await clone(http, 'c', { split: true })
    const [{ uuid }] = await all(http)
    expect(await http.patch(`${SPLITS}/${uuid}`, {})).toMatchObject({
      status: 400,
      body: { error: { code: '262177' } },
    })
    for (const change of [{ order: 0 }, { order: 1.5 }, { state: 'running' }, { path: 'x' }]) {
      expect((await http.patch(`${SPLITS}/${uuid}`, change)).status).toBe(400)
    }
    expect((await http.patch(`${SPLITS}/absent`, { order: 1 })).status).toBe(404)
  })
})

it('moves splits in the order of their volume', async () => {
  const slices = heldSlices()
  const http = await openHttp({ backend: slices.backend })
  http.volume.files.write('f', { size: MiB })
  for (const name of ['a', 'b', 'c', 'd']) await clone(http, name, { split: true })
  await until(slices.isWaiting)
  const orders = async () =>
    (await all(http)).map(({ path, order = 0 }: { path: string; order?: number }) => [path, order])
  expect(await orders()).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
    ['d', 3],
  ])
  const uuidOf = async (path: string) => (await http.get(`${SPLITS}?path=${path}`)).body.records[0].uuid
  await http.patch(`${SPLITS}/${await uuidOf('b')}`, { state: 'paused' })
  await http.patch(`${SPLITS}/${await uuidOf('d')}`, { order: 1 })
  await http.patch(`${SPLITS}/${await uuidOf('b')}`, { state: 'waiting', order: 2 })
  expect(await orders()).toEqual([
    ['a', 0],
    ['b', 2],
    ['c', 3],
    ['d', 1],
  ])
  while ((await all(http)).length > 0) {
    slices.proceed()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const done = http.emitted.filter(([name]) => name === 'split.done').map(([, ended]) => ended)
  expect(done).toMatchObject([{ path: 'a' }, { path: 'd' }, { path: 'b' }, { path: 'c' }])
})

describe('a split that is cancelled', () => {
  it.each([
    false,
    true,
  ])('leaves its load, blocks that are split, and no lease, with a token: %s', async (withToken) => {
    const slices = heldSlices()
    const http = await openHttp({ backend: slices.backend, splitSliceSize: MiB })
    http.volume.files.write('f', { size: 4 * MiB })
    const token = (await http.post(TOKENS, { node: { uuid: await nodeOf(http) }, reserve_size: '4M' })).body.records[0]
    await clone(http, 'c', withToken ? { token_uuid: token.uuid } : { split: true })
    await until(slices.isWaiting)
    slices.proceed()
    await until(async () => slices.passed() === 1 && slices.isWaiting())
    const [{ uuid }] = await all(http)
    expect((await http.delete(`${SPLITS}/${uuid}`)).status).toBe(200)
    expect((await http.delete(`${SPLITS}/${uuid}`)).status).toBe(404)
    expect(await all(http)).toEqual([])
    expect(await load(http)).toMatchObject({ current: 0, token_reserved: withToken ? 3 * MiB : 4 * MiB })
    expect(http.emitted).toContainEqual(['split.cancelled', expect.objectContaining({ uuid, remaining: 3 * MiB })])
    slices.proceed()
    await until(() => slices.passed() === 2)
    expect(await http.repositories.splits.owners(http.clock.now())).toEqual([])
    expect(slices.isWaiting()).toBe(false)
    expect(await used(http)).toBe(6 * MiB)
    expect(http.volume.files.contents('c')).toBe(http.volume.files.contents('f'))
    expect(http.faults).toEqual([])
    // The rest can be split later.
    expect((await split(http, 'c')).body.records[0].size).toBe(2 * MiB)
  })
})

describe('the floor of a volume', () => {
  it('makes splits wait with a reason, and lets them continue when there is space', async () => {
    const volume = simulatedVolume({ size: 100 * MiB })
    const http = await openHttp({ volume, splitSliceSize: 2 * MiB })
    volume.files.write('f', { size: 20 * MiB })
    volume.files.write('ballast', { size: 66 * MiB })
    await clone(http, 'c', { split: true })
    await clone(http, 'd', { split: true })
    await until(() => http.emitted.some(([name]) => name === 'split.refused'))
    const reason = `The volume has ${6 * MiB} bytes available, of which splits leave ${5 * MiB} free.`
    expect(await all(http)).toMatchObject([
      { path: 'c', state: 'waiting', reason, order: 1, bytes: { done: 8 * MiB } },
      { path: 'd', state: 'waiting', order: 2, bytes: { done: 0 } },
    ])
    expect((await volume.space()).available).toBe(6 * MiB)
    const refusals = () => http.emitted.filter(([name]) => name === 'split.refused').length
    expect(refusals()).toBe(1)
    http.clock.advance(31)
    await until(() => refusals() === 2)
    volume.files.remove('ballast')
    http.clock.advance(31)
    await until(isIdle(http))
    expect(await used(http)).toBe(60 * MiB)
    expect(http.faults).toEqual([])
  })

  it('follows the option of the volume where it has one', async () => {
    const [volume, other] = [simulatedVolume({ size: 100 * MiB }), simulatedVolume({ size: 100 * MiB })]
    const http = await openHttp({
      splitFloor: 95 * MiB,
      volumes: [
        { name: 'vol1', backend: volume },
        { name: 'vol2', backend: other, splitFloor: 0 },
      ],
    })
    for (const one of [volume, other]) one.files.write('f', { size: 4 * MiB })
    await clone(http, 'c', { split: true })
    await http.post(`${CLONE}?return_timeout=30`, {
      volume: { name: 'vol2' },
      source_path: 'f',
      destination_path: 'c',
      split: true,
    })
    await until(async () => (await all(http)).length === 1 && 'reason' in (await all(http))[0])
    expect([(await volume.space()).used, (await other.space()).used]).toEqual([4 * MiB, 8 * MiB])
  })

  it.each([
    [-1, RangeError],
    [0.5, RangeError],
    ['101%', RangeError],
    ['5', TypeError],
    ['-5%', TypeError],
    ['much', TypeError],
  ])('refuses the option %j', async (splitFloor, error) => {
    const volumes = [{ name: 'vol1', backend: simulatedVolume(), splitFloor }]
    await expect(openStorage({ splitFloor })).rejects.toThrow(error)
    await expect(openStorage({ volumes })).rejects.toThrow(error)
  })
})

it('shows why a split waits that a quota refuses', async () => {
  const http = await openHttp({
    backend: (volume) => ({
      ...volume,
      unshare: async () => {
        throw new VolumeRefusal('quota-exceeded', 'A quota of the volume does not allow that many bytes')
      },
    }),
  })
  http.volume.files.write('f', { size: MiB })
  await clone(http, 'c', { split: true })
  await until(async () => (await all(http))[0].state === 'waiting' && 'reason' in (await all(http))[0])
  expect(await all(http)).toMatchObject([{ reason: 'A quota of the volume does not allow that many bytes' }])
  expect((await http.get(`${SPLITS}?reason=*quota*`)).body.num_records).toBe(1)
  expect((await http.get(`${SPLITS}?state=paused|running`)).body.num_records).toBe(0)
})

describe('a file of a volume', () => {
  it('shows whether it shares blocks, and its split', async () => {
    const http = await openHttp({ splitFloor: '100%' })
    http.volume.files.makeDirectory('d')
    http.volume.files.write('f', { size: MiB })
    http.volume.files.write('d/ü 1', { size: MiB, offset: MiB })
    await clone(http, 'd/c')
    http.volume.files.write('d/c', { size: 4096 })
    const file = async (path: string) => (await http.get(`${VOLUMES}/${http.vol1.uuid}/files/${path}`)).body
    expect(await file(encodeURIComponent('d/c'))).toEqual({
      volume: { uuid: http.vol1.uuid, name: 'vol1', _links: expect.any(Object) },
      path: 'd/c',
      name: 'c',
      type: 'file',
      size: MiB + 4096,
      unique_bytes: 4096,
      is_flexclone: true,
      _links: { self: { href: `${VOLUMES}/${http.vol1.uuid}/files/d%2Fc` } },
    })
    expect(await file(encodeURIComponent('d/ü 1'))).toMatchObject({
      size: 2 * MiB,
      unique_bytes: MiB,
      is_flexclone: false,
    })
    expect(await file('d')).toMatchObject({ type: 'directory', name: 'd' })
    expect(await file('d')).not.toHaveProperty('size')
    const [{ uuid }] = (await split(http, 'd/c')).body.records
    expect(await file('d/c?fields=split')).toMatchObject({ split: { uuid, state: expect.any(String) } })
  })

  it.each([
    ['absent', 404, '917864'],
    ['..%2Ff', 400, '917812'],
    ['out%2Ff', 400, '917812'],
  ])('answers %s with %i', async (path, status, code) => {
    const http = await openHttp()
    http.volume.files.link('out', '/etc')
    const answer = await http.get(`${VOLUMES}/${http.vol1.uuid}/files/${path}`)
    expect(answer).toMatchObject({ status, body: { error: { code } } })
    expect((await http.get(`${VOLUMES}/absent/files/f`)).status).toBe(404)
  })
})
