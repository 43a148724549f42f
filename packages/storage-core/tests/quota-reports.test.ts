import { simulatedVolume } from '@trivium/simulated-volumes'
import { describe, expect, it } from 'vitest'
import { percentOf } from '../src/quota-reports/quota-report.ts'
import type { CreateQuotaRule } from '../src/quota-rules/quota-rules.ts'
import type { UsageNeeds } from '../src/volumes/volume-backend.ts'
import { VolumeRefusal } from '../src/volumes/volume-refusal.ts'
import { openHttp } from './open-http.ts'
import { createQtree, ended, MiB, type OpenStorage, openStorage, setQuota, until } from './open-storage.ts'

async function openWith(...rules: readonly Omit<CreateQuotaRule, 'svm' | 'volume'>[]) {
  const open = await openStorage()
  for (const name of ['qt1', 'qt2']) await createQtree(open, name)
  for (const rule of rules) {
    const request = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, ...rule }
    await ended(open, (await open.storage.quotaRules.create(request))._unsafeUnwrap().job)
  }
  open.volume.files.write('qt1/sam', { size: 3 * MiB, user: 'sam', group: 'staff' })
  open.volume.files.write('ann', { size: MiB, user: 'ann', group: 'staff' })
  open.volume.files.write('root', { size: MiB })
  await setQuota(open, true)
  return open
}

const reports = async ({ storage }: OpenStorage, defaults?: boolean) =>
  (
    await storage.quotaReports.list({
      query: { all: [] },
      order: [],
      limit: 99,
      ...(defaults !== undefined && { defaults }),
    })
  )._unsafeUnwrap().records

describe('the service of quota reports', () => {
  it('returns the usage and limits of enforced rules', async () => {
    const open = await openWith(
      { type: 'tree', qtree: 'qt1', limits: { spaceHard: 8 * MiB, filesSoft: 4 } },
      { type: 'user', users: [{ name: 'sam' }, { name: 'ann' }], limits: { spaceHard: 10 * MiB } },
      { type: 'group', group: { name: 'staff' }, qtree: 'qt1' },
    )
    const found = (await reports(open)).filter(({ limits, type }) => type === 'group' || Object.keys(limits).length > 0)
    expect(found).toContainEqual(
      expect.objectContaining({
        type: 'tree',
        qtree: { id: 1, name: 'qt1' },
        limits: { spaceHard: 8 * MiB, filesSoft: 4 },
        used: { space: 3 * MiB, files: 2 },
      }),
    )
    expect(found).toContainEqual(
      expect.objectContaining({
        users: [
          { id: '1001', name: 'sam' },
          { id: '1003', name: 'ann' },
        ],
        used: { space: 4 * MiB, files: 2 },
      }),
    )
    expect(found).toContainEqual(
      expect.objectContaining({
        group: { id: '50', name: 'staff' },
        qtree: { id: 1, name: 'qt1' },
        limits: {},
        used: { space: 3 * MiB, files: 1 },
      }),
    )
  })

  it('returns derived quotas, and leaves out default rules on request', async () => {
    const open = await openWith(
      { type: 'tree', qtree: '', limits: { spaceHard: 8 * MiB } },
      { type: 'user', users: [{ name: '' }], limits: { spaceHard: 2 * MiB } },
      { type: 'user', users: [{ name: 'ann' }], limits: { spaceHard: 5 * MiB } },
    )
    const brief = (await reports(open, false)).map(({ type, users, qtree, limits, used }) => {
      return `${type} ${users.map(({ name }) => name)} ${qtree?.name ?? ''} ${limits.spaceHard ?? ''} ${used.space}`
    })
    expect(brief.toSorted()).toEqual(
      [
        `tree  qt1 ${8 * MiB} ${3 * MiB}`,
        `tree  qt2 ${8 * MiB} 0`,
        `user ann  ${5 * MiB} ${MiB}`,
        `user sam  ${2 * MiB} ${3 * MiB}`,
        `user root   ${MiB}`,
        `user sam qt1 ${2 * MiB} ${3 * MiB}`,
        'user root qt1  0',
        'user root qt2  0',
      ].toSorted(),
    )
    const defaults = (await reports(open)).filter(({ isDefault }) => isDefault)
    expect(defaults.map(({ type, qtree }) => `${type} ${qtree?.name ?? '-'}`).toSorted()).toEqual([
      'tree ',
      'user -',
      'user qt1',
      'user qt2',
    ])
  })

  it('gives each report a unique and stable index below 2^52', async () => {
    const open = await openWith({ type: 'tree', qtree: '' }, { type: 'user', users: [{ name: '' }] })
    const first = await reports(open)
    expect(new Set(first.map(({ index }) => index)).size).toBe(first.length)
    for (const report of first) {
      expect(report.index).toBeGreaterThanOrEqual(0)
      expect(report.index).toBeLessThan(2 ** 52)
      expect(JSON.parse(JSON.stringify(report.index))).toBe(report.index)
      expect((await open.storage.quotaReports.find(open.vol1.uuid, report.index))._unsafeUnwrap()).toEqual(report)
    }
    open.volume.files.write('smith', { size: MiB, user: 'smith' })
    const second = new Map((await reports(open)).map((report) => [report.index, report]))
    for (const report of first) expect(second.get(report.index)?.users).toEqual(report.users)
    expect((await open.storage.quotaReports.find(open.vol1.uuid, 1)).isErr()).toBe(true)
  })

  it('reports the enforced quotas, not the rules', async () => {
    const open = await openWith({ type: 'tree', qtree: 'qt1', limits: { spaceHard: 8 * MiB } })
    const rule = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, type: 'user', users: [{ name: 'sam' }] } as const
    await open.storage.quotaRules.create(rule)
    expect((await reports(open)).some(({ type }) => type === 'user')).toBe(false)
    await setQuota(open, false)
    expect(await reports(open)).toEqual([])
  })

  it('fails when every file system is attached to another process', async () => {
    const open = await openWith({ type: 'tree', qtree: 'qt1' })
    const otherProcess = await openStorage({ repositories: open.repositories, volumes: [] })
    const error = (
      await otherProcess.storage.quotaReports.list({ query: { all: [] }, order: [], limit: 9 })
    )._unsafeUnwrapErr()
    expect(error).toMatchObject({ type: 'quota-usage-unavailable', volume: 'vol1' })
  })

  describe('with a volume that is attached to another process', () => {
    async function openWithUnavailableVolume() {
      const open = await openWith({ type: 'tree', qtree: 'qt1' })
      const otherProcess = await openHttp({
        repositories: open.repositories,
        volumes: [{ name: 'vol2', backend: simulatedVolume() }],
      })
      const rule = { svm: { name: 'svm1' }, volume: { name: 'vol2' }, type: 'user', users: [{ name: '' }] } as const
      ;(await otherProcess.storage.quotaRules.create(rule))._unsafeUnwrap()
      await setQuota(otherProcess, true, open.vol2)
      return otherProcess
    }
    const warnings = [
      {
        message: 'The usage of volume "vol1" is not available: its file system is attached to another process.',
        code: '5308561',
        target: 'volume',
      },
    ]

    it('lists the other reports with a warning about the missing ones', async () => {
      const { get } = await openWithUnavailableVolume()
      const { status, body } = await get('/api/storage/quota/reports')
      expect(status).toBe(200)
      expect(body.records.map(({ volume }: { volume: { name: string } }) => volume.name)).toEqual(['vol2'])
      expect(body).toMatchObject({ num_records: 1, warnings })
      expect((await get('/api/storage/quota/reports?return_records=false')).body).toMatchObject({
        num_records: 1,
        warnings,
      })
    })

    it('adds no warning when the volume is not selected', async () => {
      const { get } = await openWithUnavailableVolume()
      const { status, body } = await get('/api/storage/quota/reports?volume.name=vol2')
      expect({ status, count: body.num_records }).toEqual({ status: 200, count: 1 })
      expect(body).not.toHaveProperty('warnings')
    })

    it('answers with 503 when only that volume is selected', async () => {
      const { get, vol1 } = await openWithUnavailableVolume()
      for (const path of ['?volume.name=vol1', '?volume.name=vol1&return_records=false', `/${vol1.uuid}/5`]) {
        const { status, body } = await get(`/api/storage/quota/reports${path}`)
        expect(status, path).toBe(503)
        expect(body.error).toEqual(warnings[0])
      }
    })
  })

  it.each([
    [10567680, 31457280, 34],
    [10567680, 41943040, 25],
    [11, 40, 28],
    [11, 30, 37],
    [0, 10, 0],
    [145, 1000, 15],
    [2 ** 52, 2n ** 63n - 1n, 0],
    [Number.MAX_SAFE_INTEGER, 2n ** 53n, 100],
    [Number.MAX_SAFE_INTEGER, 2n ** 54n, 50],
    [49_999_999_999_999, 10n ** 16n, 0],
    [50_000_000_000_000, 10n ** 16n, 1],
    [5, 0, 100],
    [1, undefined, undefined],
  ])('rounds %d of %d to %d percent', (used, limit, percent) => {
    expect(percentOf(used, limit)).toBe(percent)
  })
})

it('lists a volume without its space when its file system is unavailable', async () => {
  const { get } = await openHttp({
    backend: (volume) => ({
      ...volume,
      space: async () => {
        throw new VolumeRefusal('failed', 'The file system is not mounted')
      },
    }),
  })
  const { status, body } = await get('/api/storage/volumes?fields=*&order_by=name')
  expect(status).toBe(200)
  expect(body.records.map(({ name, space }: { name: string; space?: unknown }) => [name, space !== undefined])).toEqual(
    [
      ['vol1', false],
      ['vol2', true],
    ],
  )
})

describe('the usage that reports read', () => {
  /** Opens a volume that records what is needed of its usage, and counts files only where they are needed. */
  async function openRecording(usageSeconds = 60) {
    const needed: UsageNeeds[] = []
    const open = await openHttp({
      usageSeconds,
      backend: ({ watchQuota: _, ...volume }) => ({
        ...volume,
        async usage(needs = {}) {
          needed.push(needs)
          const usage = await volume.usage()
          return usage.map(({ files, ...one }) => ({ ...one, ...(needs.files !== false && { files }) }))
        },
      }),
    })
    for (const name of ['qt1', 'qt2']) await createQtree(open, name)
    await open.storage.quotaRules.create({
      svm: { name: 'svm1' },
      volume: { name: 'vol1' },
      type: 'tree',
      qtree: '',
      limits: { spaceHard: 8 * MiB },
    })
    open.volume.files.write('qt1/a', { size: MiB })
    await setQuota(open, true)
    const list = async (query: string) => {
      needed.length = 0
      return (await open.get(`/api/storage/quota/reports?volume.name=vol1&${query}`)).body.records
    }
    return { ...open, list, needed }
  }

  it.each([
    '',
    'fields=space',
    'fields=*,!files',
    'fields=files.hard_limit',
    'order_by=space.used.total',
  ])('has no numbers of files for the query %j', async (query) => {
    const { list, needed } = await openRecording()
    const records = await list(query)
    expect(records).toHaveLength(3)
    expect(needed).toEqual([{ files: false, owners: false }])
  })

  it.each([
    'fields=*',
    'fields=files',
    'fields=files.used.total',
    'order_by=files.used.total&fields=files.used',
    'files.used.total=>=0&fields=files.used',
  ])('has numbers of files for the query %j', async (query) => {
    const { list, needed } = await openRecording()
    const records: { qtree?: { name: string }; files: { used: object } }[] = await list(`${query},qtree.name`)
    expect(records.find(({ qtree }) => qtree?.name === 'qt1')?.files.used).toEqual({ total: 2 })
    expect(needed.some(({ files }) => files !== false)).toBe(true)
  })

  it('covers the qtrees on the page where files are asked for', async () => {
    const { list, needed } = await openRecording()
    await list('fields=files&qtree.name=!""&order_by=qtree.name&max_records=1')
    expect(needed).toEqual([
      { files: false, owners: false },
      { owners: false, qtrees: ['qt1'] },
    ])
  })

  it('covers one qtree where a filter or an address names it', async () => {
    const { list, needed, get } = await openRecording()
    const [{ _links }] = await list('qtree.name=qt1')
    expect(needed).toEqual([{ files: false, owners: false, qtrees: ['qt1'] }])
    needed.length = 0
    const { body } = await get(_links.self.href)
    expect(body).toMatchObject({ qtree: { name: 'qt1' }, files: { used: { total: 2 } } })
    expect(needed).toEqual([{ files: true, owners: false, qtrees: ['qt1'] }])
  })

  it('leaves out files and owners in the background, and everything before there is a soft limit', async () => {
    const { needed, storage, emitted } = await openRecording(0.01)
    await until(() => emitted.some(([name, , state]) => name === 'quota.state-changed' && state === 'on'))
    expect(needed).toEqual([])
    const { records } = await storage.quotaRules.list({ query: { all: [] }, order: [], limit: 1 })
    const [rule] = records
    if (!rule) throw new Error('The rule is missing')
    await storage.quotaRules.update(rule.uuid, { limits: { spaceSoft: 1 } })
    await until(() => emitted.some(([name]) => name === 'quota.soft-limit-exceeded'))
    expect(needed[0]).toEqual({ files: false, owners: false })
  })
})

describe('the watch of soft limits', () => {
  it('compares the usage immediately when a file system reports that it has passed a soft limit', async () => {
    const open = await openWith({ type: 'tree', qtree: 'qt1', limits: { spaceSoft: 4 * MiB } })
    const notices = () => open.emitted.filter(([name]) => name.startsWith('quota.soft'))
    open.volume.files.write('qt1/more', { size: 2 * MiB, user: 'sam' })
    await until(() => notices().length === 1)
    open.volume.files.remove('qt1/more')
    await until(() => notices().length === 2)
    expect(notices()).toMatchObject([
      ['quota.soft-limit-exceeded', { name: 'vol1' }, { limit: 'spaceSoft', used: 5 * MiB, allowed: 4 * MiB }],
      ['quota.soft-limit-normal', { name: 'vol1' }, { used: 3 * MiB }],
    ])
  })

  it('compares the usage of other file systems with the limits every `usageSeconds`', async () => {
    const open = await openStorage({
      usageSeconds: 0.01,
      backend: ({ watchQuota: _, ...volume }) => volume,
    })
    await createQtree(open, 'qt1')
    const request = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, type: 'tree', qtree: 'qt1' } as const
    await open.storage.quotaRules.create({ ...request, limits: { filesSoft: 2 } })
    await setQuota(open, true)
    const names = () => open.emitted.map(([name]) => name).filter((name) => name.startsWith('quota.soft'))
    for (const path of ['qt1/a', 'qt1/b']) open.volume.files.write(path, { size: 1 })
    await until(() => names().length === 1)
    open.volume.files.remove('qt1/a')
    await until(() => names().length === 2)
    expect(names()).toEqual(['quota.soft-limit-exceeded', 'quota.soft-limit-normal'])
  })
})
