import { describe, expect, it } from 'vitest'
import { type OpenHttp, openHttp, RULES, VOLUMES } from './open-http.ts'
import { createQtree, MiB, setQuota, until } from './open-storage.ts'

const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
const REPORTS = '/api/storage/quota/reports'

interface Rule {
  readonly uuid: string
  readonly grace_period?: string
  readonly thresholds?: readonly number[]
}

async function create(http: OpenHttp, body: object): Promise<Rule> {
  const answer = await http.post(`${RULES}?return_timeout=15&return_records=true`, {
    ...on,
    type: 'tree',
    'qtree.name': 'qt1',
    ...body,
  })
  expect([answer.text, answer.status]).toEqual([answer.text, 201])
  return answer.body.records[0]
}

const read = async (http: OpenHttp, { uuid }: Rule): Promise<Rule> => (await http.get(`${RULES}/${uuid}`)).body

describe('the rules of a volume', () => {
  it('take, return and filter a grace period and thresholds', async () => {
    const http = await openHttp()
    const rule = await create(http, {
      space: { soft_limit: '5M', hard_limit: '10M' },
      grace_period: 'P7D',
      thresholds: [95, '80'],
    })
    expect(rule).toMatchObject({ grace_period: 'P7D', thresholds: [80, 95] })
    expect(await read(http, rule)).toMatchObject({ grace_period: 'P7D', thresholds: [80, 95] })
    const patch = (body: object) => http.patch(`${RULES}/${rule.uuid}?return_timeout=15`, body)
    expect((await patch({ grace_period: '3600' })).status).toBe(200)
    expect(await read(http, rule)).toMatchObject({ grace_period: 'PT1H', thresholds: [80, 95] })
    const found = async (query: string) => (await http.get(`${RULES}?${query}`)).body.num_records
    for (const query of ['grace_period=PT1H', 'grace_period=3600', 'grace_period=>PT59M'])
      expect([query, await found(query)]).toEqual([query, 1])
    expect(await found('grace_period=>PT1H')).toBe(0)
    const listed = await http.get(`${RULES}?fields=grace_period,thresholds&grace_period=!null`)
    expect(listed.body.records[0]).toMatchObject({ uuid: rule.uuid, grace_period: 'PT1H', thresholds: [80, 95] })
    expect((await patch({ grace_period: '-', thresholds: null })).status).toBe(200)
    const without = await read(http, rule)
    expect([without.grace_period, without.thresholds]).toEqual([undefined, undefined])
  })

  it('return grace periods and thresholds only where they are set and asked for', async () => {
    const http = await openHttp()
    const rule = await create(http, { space: { soft_limit: '5M' }, grace_period: 60 })
    const { records } = (await http.get(`${RULES}?qtree.name=qt1`)).body
    expect(Object.keys(records[0]).toSorted()).toEqual(['_links', 'svm', 'uuid', 'volume'])
    const others = (await http.get(`${RULES}?fields=*&uuid=!${rule.uuid}`)).body.records
    expect(others).toHaveLength(1)
    expect(Object.keys(others[0])).not.toContain('grace_period')
  })

  it.each([
    [{ grace_period: 60 }, '262186', 'grace_period'],
    [{ thresholds: [80] }, '262186', 'thresholds'],
    [{ space: { hard_limit: '10M' }, grace_period: 'PT1M' }, '262186', 'grace_period'],
    [{ space: { hard_limit: '10M' }, thresholds: [80, 80] }, '262197', 'thresholds'],
    [{ space: { hard_limit: '10M' }, thresholds: [0] }, '262197', 'thresholds'],
    [{ space: { hard_limit: '10M' }, thresholds: [101] }, '262197', 'thresholds'],
    [{ space: { hard_limit: '10M' }, thresholds: [79.5] }, '262197', 'thresholds'],
    [{ space: { hard_limit: '10M' }, thresholds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, '262197', 'thresholds'],
    [{ space: { soft_limit: '5M' }, grace_period: 0 }, '262197', 'grace_period'],
    [{ space: { soft_limit: '5M' }, grace_period: 'P4000D' }, '262197', 'grace_period'],
    [{ space: { soft_limit: '5M' }, grace_period: 'soon' }, '262197', 'grace_period'],
  ])('refuse the grace period or thresholds of %j', async (body, code, target) => {
    const http = await openHttp()
    const answer = await http.post(RULES, { ...on, type: 'tree', 'qtree.name': 'qt1', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe(code)
    expect(answer.body.error.target).toMatch(new RegExp(`^${target}`))
    expect(answer.body.error.message).toMatch(/\.$/)
  })

  it('keep a grace period and thresholds when a client removes the limits', async () => {
    const http = await openHttp()
    const rule = await create(http, { space: { soft_limit: '5M' }, grace_period: 60, thresholds: [80] })
    const { status } = await http.patch(`${RULES}/${rule.uuid}?return_timeout=15`, { space: { soft_limit: '-' } })
    expect(status).toBe(200)
    expect(await read(http, rule)).toMatchObject({ grace_period: 'PT1M', thresholds: [80] })
  })
})

describe('the grace period of a volume', () => {
  it('changes alone or with the state of the quotas', async () => {
    const http = await openHttp()
    const at = `${VOLUMES}/${http.vol1.uuid}`
    const patch = (quota: object) => http.patch(`${at}?return_timeout=15`, { quota })
    const quota = async () => (await http.get(`${at}?fields=quota`)).body.quota
    expect(await quota()).toEqual({ state: 'off' })
    expect((await patch({ grace_period: 'P7D' })).status).toBe(200)
    expect(await quota()).toEqual({ state: 'off', grace_period: 'P7D' })
    expect((await http.get(`${VOLUMES}?quota.grace_period=P7D`)).body.num_records).toBe(1)
    expect((await patch({ enabled: true, grace_period: 60 })).status).toBe(200)
    expect(await quota()).toEqual({ state: 'on', grace_period: 'PT1M' })
    expect((await patch({ grace_period: null })).status).toBe(200)
    expect(await quota()).toEqual({ state: 'on' })
  })

  it('refuses a period out of its range, and a request that sets nothing', async () => {
    const http = await openHttp()
    const patch = async (quota: object) => (await http.patch(`${VOLUMES}/${http.vol1.uuid}`, { quota })).body.error
    expect(await patch({ grace_period: 0 })).toMatchObject({ code: '262197', target: 'quota.grace_period' })
    expect(await patch({})).toMatchObject({ code: '262177', target: 'quota.enabled' })
  })
})

describe('a quota report', () => {
  it('contains the grace period, what enforces it, and the reached thresholds', async () => {
    const http = await openHttp({ usageSeconds: 0.005 })
    await createQtree(http, 'qt1')
    await create(http, {
      space: { soft_limit: '5M', hard_limit: '10M' },
      files: { hard_limit: 100 },
      grace_period: 3600,
      thresholds: [50, 95],
    })
    await setQuota(http, true)
    const record = async (query = 'fields=*') => {
      const answer = await http.get(`${REPORTS}?qtree.name=qt1&${query}`)
      expect(answer.status).toBe(200)
      return answer.body.records[0]
    }
    expect((await record()).space).toMatchObject({
      grace: { period: 'PT1H', enforced_by: 'watcher', expired: false },
      thresholds: [50, 95],
      exceeded_thresholds: [],
    })
    http.volume.files.write('qt1/data', { size: 8 * MiB })
    await until(async () => (await record()).space.exceeded_thresholds.length === 1)
    http.clock.advance(1800)
    expect(await record('fields=space.grace,files.thresholds,space.soft_limit_exceeded_time')).toMatchObject({
      space: {
        soft_limit_exceeded_time: '2026-01-02T03:04:05+00:00',
        grace: {
          period: 'PT1H',
          enforced_by: 'watcher',
          start_time: '2026-01-02T03:04:05+00:00',
          end_time: '2026-01-02T04:04:05+00:00',
          left: 'PT30M',
          expired: false,
        },
      },
      files: { thresholds: [50, 95] },
    })
    http.clock.advance(1800)
    await until(async () => (await record()).space.grace.expired)
    expect((await record()).space).toMatchObject({ hard_limit: 10 * MiB, grace: { left: 'PT0S' } })
    expect((await http.get(`${REPORTS}?fields=space.nothing`)).status).toBe(400)
  })
})
