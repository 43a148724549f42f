import type { UsageRecord } from '@trivium/gateway-core'
import { memoryApiKeys, memoryUsage } from '@trivium/gateway-core/memory'
import { expectJson } from '@trivium/http-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fakeProvider } from './fake-provider.ts'
import { ADMIN, expectFailure, type OpenGatewayOptions, openGateway } from './open-gateway.ts'

const DAY = 86_400_000

describe('usage report', () => {
  it('names keys, teams and users, until they are deleted', async () => {
    const open = openGateway()
    const create = async (path: string, body: object) => (await open.send(path, { as: ADMIN, body })).json()
    const { team_id } = await create('/v1/teams', { name: 'red' })
    const key = await create('/v1/auth/generate-key', { username: 'ada', name: 'laptop', team_id })
    await open.chat(key.api_key)
    await open.chat(ADMIN)
    open.time += 1
    const read = (query: string) => open.send(`/v1/usage?${query}`, { as: ADMIN })
    const { data } = await (await read('group_by=key,user,team')).json()
    expect(data).toHaveLength(2)
    expect(data[1]).toMatchObject({ key_name: 'laptop', username: 'ada', team_name: 'red' })
    for (const name of ['key_name', 'username', 'team_name']) expect(data[0]).not.toHaveProperty(name)
    const csv = await (await read('group_by=user,team&format=csv')).text()
    expect(csv).toMatch(/^user_id,person_id,username,team_id,team_name,requests,/)
    expect(csv).toContain(`${key.user_id},ada,${team_id},red,1,`)
    await open.send(`/v1/auth/keys/${key.key_id}`, { as: ADMIN, method: 'DELETE' })
    expect((await open.send(`/v1/teams/${team_id}`, { as: ADMIN, method: 'DELETE' })).status).toBe(200)
    const { data: later } = await (await read('group_by=team')).json()
    expect(later[1]).toMatchObject({ team_id })
    expect(later[1]).not.toHaveProperty('team_name')
  })

  it('contains the usage of the key, or of all keys for the admin', async () => {
    const open = openGateway({ providers: [fakeProvider({ models: ['big', 'small'] })] })
    const ada = await open.key()
    const grace = await open.key({ username: 'grace' })
    await open.chat(ada.secret)
    await open.chat(ada.secret, { model: 'up/small' })
    await open.chat(grace.secret)
    await open.chat(ADMIN)
    open.time += DAY
    await open.chat(ada.secret)
    const own = await expectJson(open.client(ada.secret).getUsage())
    const details = { cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0, audio_tokens: 0, searches: 0 }
    const counts = { failures: 0, partial: 0, images: 0, ...details, cost: '0' }
    expect(own).toEqual({
      object: 'list',
      from: '2025-12-04T03:04:05.000Z',
      to: '2026-01-03T03:04:05.000Z',
      data: [
        {
          key_id: ada.key.id,
          username: 'ada',
          model: 'up/big',
          day: '2026-01-02',
          requests: 1,
          input_tokens: 9,
          output_tokens: 2,
          ...counts,
        },
        {
          key_id: ada.key.id,
          username: 'ada',
          model: 'up/small',
          day: '2026-01-02',
          requests: 1,
          input_tokens: 9,
          output_tokens: 2,
          ...counts,
        },
      ],
      has_more: false,
    })
    const to = new Date(open.time + 1).toISOString()
    const admin = open.client(ADMIN)
    const all = await expectJson(admin.getUsage({ query: { group_by: 'key', to } }))
    expect(new Map(all.data.map(({ key_id, requests }) => [key_id, requests]))).toEqual(
      new Map([
        [null, 1],
        [ada.key.id, 3],
        [grace.key.id, 1],
      ]),
    )
    const one = await expectJson(admin.getUsage({ query: { group_by: 'day', key_id: ada.key.id, to } }))
    expect(one.data.map(({ day, requests }) => [day, requests])).toEqual([
      ['2026-01-02', 2],
      ['2026-01-03', 1],
    ])
    const limited = await expectJson(admin.getUsage({ query: { limit: 1, to } }))
    expect([limited.data.length, limited.has_more]).toEqual([1, true])
  })

  it('refuses a key the usage of another key', async () => {
    const open = openGateway()
    const [ada, grace] = [await open.key(), await open.key({ username: 'grace' })]
    await expectFailure(await open.send(`/v1/usage?key_id=${grace.key.id}`, { as: ada.secret }), 403, {
      param: 'key_id',
    })
    expect((await open.send(`/v1/usage?key_id=${ada.key.id}`, { as: ada.secret })).status).toBe(200)
  })

  it.each([
    ['from=yesterday', 'from'],
    ['to=2026-13-01', 'to'],
    ['to=2026-02-30', 'to'],
    ['to=2026-01-01T25:00', 'to'],
    ['to=2026-01-01%20(noon)', 'to'],
    ['from=2026-02-01&to=2026-01-01', 'from'],
    ['group_by=username', 'group_by[0]'],
    ['group_by=key,constructor', 'group_by[1]'],
    ['top=0', 'top'],
    ['top=2&order=size', 'order'],
    ['status=ok', 'status'],
    ['operation=chats', 'operation'],
    ['format=xml', 'format'],
    [`tag=${'t'.repeat(65)}`, 'tag'],
    ['group_by=end_user&from=2026-01-01&to=2026-02-02', 'from'],
    ['limit=0', 'limit'],
  ])('refuses the query ?%s', async (query, param) => {
    const open = openGateway()
    await expectFailure(await open.send(`/v1/usage?${query}`, { as: ADMIN }), 400, { param })
  })
})

describe('a usage report by other things than keys', () => {
  const start = async (options: OpenGatewayOptions = {}) => {
    const open = openGateway({
      ...options,
      providers: [fakeProvider({ models: ['big', 'small', '=1+1'] })],
      prices: { 'up/*': { input: 1000, output: 0 } },
    })
    const { secret, key } = await open.key()
    for (const model of ['big', 'big', 'small', '=1+1']) await open.chat(secret, { model: `up/${model}` })
    await open.chat(secret, { model: 'up/none' })
    open.time += 1
    const read = async (query: string) => (await open.send(`/v1/usage?${query}`, { as: ADMIN })).json()
    return { open, secret, key, read }
  }

  it('has groups and filters by the same names', async () => {
    const { key, read } = await start()
    const { data } = await read('group_by=user,provider,upstream_model,status,operation,hour,month')
    expect(data[1]).toMatchObject({
      person_id: key.userId,
      provider: 'up',
      upstream_model: 'big',
      status: 200,
      operation: 'chat',
      hour: '2026-01-02T03:00Z',
      month: '2026-01',
      requests: 2,
      cost: '0.018',
    })
    expect((await read('group_by=team,tag')).data).toMatchObject([{ team_id: null, tag: null, requests: 4 }])
    expect((await read('group_by=end_user&from=2026-01-02')).data).toMatchObject([{ end_user: null, requests: 4 }])
    const filters = `person_id=${key.userId}&provider=up&upstream_model=small&status=200&operation=chat&model=up/small`
    expect((await read(`group_by=model&${filters}`)).data).toMatchObject([{ model: 'up/small', requests: 1 }])
    expect((await read('group_by=model&tag=none')).data).toEqual([])
  })

  it('returns 400 for groups by end user and tag together', async () => {
    const { open } = await start()
    const refused = await open.send('/v1/usage?group_by=model,end_user,tag&top=1', { as: ADMIN })
    await expectFailure(refused, 400, { param: 'group_by', code: 'invalid_value' })
  })

  it('returns 400 where the store would keep too many groups', async () => {
    const usage = { ...memoryUsage(), summarize: async () => 'too-large' as const }
    const { open } = await start({ repositories: { usage } })
    const refused = await open.send('/v1/usage', { as: ADMIN })
    await expectFailure(refused, 400, { param: 'group_by', code: 'report_too_large' })
  })

  it('waits for the others of its caller, of which at most 10 run or wait', async () => {
    const reports: (() => void)[] = []
    let started = () => {}
    const summarize = () =>
      new Promise<[]>((resolve) => {
        reports.push(() => resolve([]))
        started()
      })
    const { open, secret } = await start({ repositories: { usage: { ...memoryUsage(), summarize } } })
    const begun = (count: number) =>
      new Promise<void>((resolve) => {
        started = () => reports.length >= count && resolve()
        started()
      })
    const read = (as: string) => open.send('/v1/usage', { as })
    const asked = Array.from({ length: 10 }, () => read(secret))
    await begun(1)
    const refused = await read(secret)
    await expectFailure(refused, 429, { type: 'requests', param: null, code: 'too_many_reports' })
    expect(refused.headers.get('retry-after')).toBe('1')
    const other = read(ADMIN)
    await begun(2)
    expect(reports).toHaveLength(2)
    for (let next = 0; next < 11; next += 1) {
      await begun(next + 1)
      reports[next]?.()
    }
    expect((await Promise.all([...asked, other])).map(({ status }) => status)).toEqual(Array(11).fill(200))
  })

  it('has the largest groups, and one row for all others', async () => {
    const { read } = await start()
    const { data, has_more } = await read('group_by=model&top=1&order=requests')
    expect(data).toMatchObject([
      { model: 'up/big', requests: 2, cost: '0.018' },
      { other: true, requests: 2, cost: '0.018' },
    ])
    expect([data[1].model, has_more]).toEqual([undefined, false])
  })

  it('becomes CSV on request, in which no cell is a formula', async () => {
    const { open } = await start()
    const response = await open.send('/v1/usage?group_by=upstream_model&format=csv', { as: ADMIN })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('x-trivium-has-more')).toBe('false')
    const [names, ...rows] = (await response.text()).split('\r\n')
    expect(names).toMatch(/^upstream_model,requests,.*,cost$/)
    expect(rows.map((row) => row.split(',').slice(0, 2).join())).toEqual(["'=1+1,1", 'big,2', 'small,1', ''])
  })
})

it('accepts dates and times in the forms of ISO 8601, in UTC without a zone', async () => {
  const zone = process.env.TZ
  process.env.TZ = 'America/New_York'
  onTestFinished(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  const open = openGateway()
  const asked = async (from: string) =>
    (await expectJson(open.client(ADMIN).getUsage({ query: { from, to: '2026-12-31' } }))).from
  expect(await asked('2026-02-28')).toBe('2026-02-28T00:00:00.000Z')
  expect(await asked('2026-02-28T10:30')).toBe('2026-02-28T10:30:00.000Z')
  expect(await asked('2026-02-28 10:30:05.25')).toBe('2026-02-28T10:30:05.250Z')
  expect(await asked('2026-02-28T10:30:05Z')).toBe('2026-02-28T10:30:05.000Z')
  expect(await asked('2026-02-28T01:30:00+02:00')).toBe('2026-02-27T23:30:00.000Z')
})

describe('usage recorder', () => {
  it('writes records in batches when the gateway closes', async () => {
    const usage = memoryUsage()
    const sizes: number[] = []
    const append = async (records: readonly UsageRecord[]) => {
      sizes.push(records.length)
      await usage.append(records)
    }
    const apiKeys = memoryApiKeys()
    const open = openGateway({
      repositories: { apiKeys, usage: { ...usage, append } },
      usage: { batchSize: 4, flushMs: 60_000 },
    })
    const { secret, key } = await open.key()
    for (let index = 0; index < 10; index += 1) await open.chat(secret)
    await open.gateway.close()
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4)
    expect((await apiKeys.find(key.id))?.usageCount).toBe(10)
  })

  it('writes records at the close where a provider fails to close', async () => {
    const usage = memoryUsage()
    const append = vi.fn(usage.append)
    const faults: unknown[] = []
    const open = openGateway({
      repositories: { usage: { ...usage, append } },
      providers: [{ ...fakeProvider(), close: () => Promise.reject(new Error('busy')) }],
      onFault: (fault) => faults.push(fault),
    })
    const { secret } = await open.key()
    await open.chat(secret)
    await open.gateway.close()
    expect(append).toHaveBeenCalledOnce()
    expect(faults).toEqual([new Error('busy')])
  })

  it('writes records at the close where a start has not ended', async () => {
    const usage = memoryUsage()
    const append = vi.fn(usage.append)
    const { promise: subscription, resolve: subscribed } = Promise.withResolvers<() => Promise<void>>()
    const keyInvalidations = { publish: async () => undefined, subscribe: () => subscription }
    const open = openGateway({ repositories: { keyInvalidations, usage: { ...usage, append } } })
    const { secret } = await open.key()
    await open.chat(secret)
    void open.gateway.close()
    await vi.waitFor(() => expect(append).toHaveBeenCalledOnce(), 30_000)
    subscribed(async () => undefined)
  })

  it('replaces characters in model names that some stores refuse', async () => {
    const models = () => Promise.reject(new Error('no list'))
    const open = openGateway({ providers: [fakeProvider({ models })] })
    const { secret } = await open.key()
    await open.chat(secret, { model: 'up/a\u0000b\ud800c 🔑' })
    expect(open.records).toMatchObject([{ model: 'up/a\ufffdb\ufffdc 🔑' }])
  })

  it('delays neither a report nor the count of a key while more and more records arrive', async () => {
    const usage = memoryUsage()
    const apiKeys = memoryApiKeys()
    let writes = 0
    const append = async (records: readonly UsageRecord[]) => {
      writes += 1
      await usage.append(records)
      if (writes < 30) await open.chat(secret)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const open = openGateway({
      repositories: { apiKeys, usage: { ...usage, append } },
      usage: { flushMs: 60_000 },
    })
    const { secret, key } = await open.key({ rateLimit: 100 })
    await open.chat(secret)
    await expectJson(open.client(ADMIN).getUsage())
    expect(writes).toBe(1)
    expect((await apiKeys.find(key.id))?.usageCount).toBeGreaterThan(0)
  })

  it('keeps records while the store fails, and writes them when it works again', async () => {
    const usage = memoryUsage()
    let broken = true
    const append = (records: readonly UsageRecord[]) =>
      broken ? Promise.reject(new Error('down')) : usage.append(records)
    const open = openGateway({ repositories: { usage: { ...usage, append } }, usage: { flushMs: 1, retryMs: 1 } })
    const { secret } = await open.key()
    for (let index = 0; index < 5; index += 1) await open.chat(secret)
    await new Promise((resolve) => setTimeout(resolve, 20))
    broken = false
    const to = new Date(open.time + 1).toISOString()
    const list = await expectJson(open.client(ADMIN).getUsage({ query: { group_by: 'model', to } }))
    expect(list.data).toMatchObject([{ requests: 5 }])
  })

  it('writes nothing until the retry time after a failed write', async () => {
    let writes = 0
    const append = () => {
      writes += 1
      return Promise.reject(new Error('down'))
    }
    const open = openGateway({
      repositories: { usage: { ...memoryUsage(), append } },
      usage: { batchSize: 2, flushMs: 60_000, retryMs: 60_000 },
    })
    const { secret } = await open.key()
    for (let index = 0; index < 6; index += 1) await open.chat(secret)
    expect(writes).toBe(1)
  })

  it('drops records with an event where the queue is full or the gateway closes', async () => {
    const append = () => Promise.reject(new Error('down'))
    const open = openGateway({
      repositories: { usage: { ...memoryUsage(), append } },
      usage: { capacity: 3, flushMs: 60_000 },
    })
    const dropped: [number, string][] = []
    open.gateway.events.on('usage.dropped', (records, reason) => dropped.push([records.length, reason]))
    const { secret } = await open.key()
    for (let index = 0; index < 5; index += 1) expect((await open.chat(secret)).status).toBe(200)
    expect(dropped).toEqual([
      [1, 'queue-full'],
      [1, 'queue-full'],
    ])
    await open.gateway.close()
    expect(dropped.at(-1)).toEqual([3, 'closed'])
    expect(open.faults.length).toBeGreaterThan(0)
  })

  it('writes records where a listener throws', async () => {
    const open = openGateway()
    open.gateway.events.on('request.finished', () => {
      throw new Error('A listener failed')
    })
    const { secret } = await open.key()
    expect((await open.chat(secret)).status).toBe(200)
    expect(open.faults).toMatchObject([{ message: 'A listener failed' }])
    expect(open.records).toHaveLength(1)
  })
})
