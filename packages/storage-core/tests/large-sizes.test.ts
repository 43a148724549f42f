import { expectOk } from '@trivium/http-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeQtree, nodeOf, type OpenHttp, openHttp, RULES, switchQuota, TOKENS } from './open-http.ts'

afterEach(() => vi.restoreAllMocks())

const limits = [
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '4611686018427387905',
  '9223372036854775806',
  '9223372036854775807',
]

/** Creates a tree rule by a body in which the limit is a JSON number of exactly these digits. */
const createRule = (http: OpenHttp, qtree: string, limit: string) => {
  const target = `"svm":{"name":"svm1"},"volume":{"name":"vol1"},"type":"tree","qtree":{"name":"${qtree}"}`
  return http.ask('POST', `${RULES}?return_timeout=30`, { body: `{${target},"space":{"hard_limit":${limit}}}` })
}

async function openWithRules(): Promise<OpenHttp> {
  const http = await openHttp()
  for (const [index, limit] of limits.entries()) expect((await createRule(http, `qt${index}`, limit)).status).toBe(201)
  return http
}

/** The limits of an answer, with the digits that it has. */
const limitsIn = (text: string): readonly string[] =>
  [...text.matchAll(/"hard_limit": ?([^,}\s]+)/g)].map(([, digits = '']) => digits)

describe('the interface with limits up to 2^63 - 1', () => {
  it('takes a limit as a JSON number, and answers it with the same digits', async () => {
    const http = await openHttp()
    for (const [index, limit] of limits.entries()) {
      const created = await createRule(http, `qt${index}`, limit)
      expect(limitsIn(created.text)).toEqual([limit])
      const path = `${RULES}/${created.body.records[0].uuid}`
      expect((await http.get(path)).text).toContain(`"space":{"hard_limit":${limit}}`)
      expect(limitsIn((await http.get(`${path}?fields=space.hard_limit`)).text)).toEqual([limit])
      expect((await http.get(`${path}?pretty=true`)).text).toContain(`"hard_limit": ${limit}\n`)
    }
  })

  it.each([
    ['9007199254740993', ['9007199254740993']],
    ['!9007199254740993', limits.toSpliced(2, 1)],
    ['>=9007199254740992', limits.slice(1)],
    ['>9007199254740992', limits.slice(2)],
    ['<9007199254740993', limits.slice(0, 2)],
    ['<=9007199254740992', limits.slice(0, 2)],
    ['9007199254740993..9223372036854775807', limits.slice(2)],
    ['!9007199254740993..9223372036854775806', [...limits.slice(0, 2), ...limits.slice(5)]],
    ['8P|9223372036854775807', ['9007199254740992', '9223372036854775807']],
    ['*', limits],
  ])('finds rules by the filter `%s`', async (filter, found) => {
    const { get } = await openWithRules()
    const query = `space.hard_limit=${encodeURIComponent(filter)}`
    expect(limitsIn((await get(`${RULES}?fields=space&order_by=space.hard_limit&${query}`)).text)).toEqual(found)
    expect((await get(`${RULES}?return_records=false&${query}`)).body.num_records).toBe(found.length)
  })

  it.each([
    ['space.hard_limit', limits],
    ['space.hard_limit desc', limits.toReversed()],
  ])('lists pages of one record in the order %s', async (order, expected) => {
    const { get } = await openWithRules()
    const found: (string | undefined)[] = []
    for (let href = `${RULES}?max_records=1&fields=space&type=tree&qtree.name=qt*&order_by=${order}`; href; ) {
      const { text, body } = await get(href)
      found.push(...limitsIn(text))
      href = body._links.next?.href
    }
    expect(found).toEqual(expected)
  })

  it('changes a limit by a number, a text and a size with a unit', async () => {
    const http = await openHttp()
    const { uuid } = (await createRule(http, 'qt1', '1024')).body.records[0]
    const sent: readonly (readonly [string, string])[] = [
      ['9007199254740993', '9007199254740993'],
      ['"9223372036854775807"', '9223372036854775807'],
      ['"8191P"', '9222246136947933184'],
      ['9.007199254740993e15', '9007199254740993'],
      ['5', '1024'],
    ]
    for (const [limit, expected] of sent) {
      const body = `{"space":{"hard_limit":${limit}},"files":{"soft_limit":${limit}}}`
      expect(await http.ask('PATCH', `${RULES}/${uuid}?return_timeout=30`, { body })).toMatchObject({ status: 200 })
      expect(limitsIn((await http.get(`${RULES}/${uuid}`)).text)).toEqual([expected])
    }
    const body = '{"space":{"hard_limit":9007199254740993,"soft_limit":9007199254740994}}'
    const refused = await http.ask('PATCH', `${RULES}/${uuid}`, { body })
    expect(refused.body.error).toMatchObject({ code: '5308575', target: 'space.soft_limit' })
  })

  it.each([
    ['9223372036854775808', 'a number'],
    ['"9223372036854775808"', 'a text'],
    ['"8192P"', 'a size'],
    ['1e19', 'a number with an exponent'],
    ['-9223372036854775808', 'a negative number'],
    [`1${'0'.repeat(400)}`, 'a number that no double has'],
    ['1e4000', 'a number with a large exponent'],
  ])('refuses the larger limit %s: %s', async (limit) => {
    const { status, body } = await createRule(await openHttp(), 'qt1', limit)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: '5308574', target: 'space.hard_limit' })
    expect(body.error.message).toMatch(/9223372036854775807/)
  })

  it('needs a text where the runtime gives revivers no source', async () => {
    const http = await openHttp()
    const parse = JSON.parse
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) =>
      parse(text, reviver && ((key, value) => reviver.call(undefined, key, value))),
    )
    const { body } = await createRule(http, 'qt1', '9007199254740993')
    expect(body.error).toMatchObject({ code: '5308574', target: 'space.hard_limit' })
    expect(body.error.message).toContain('send it as a text')
    expect(limitsIn((await createRule(http, 'qt1', '"9007199254740993"')).text)).toEqual(['9007199254740993'])
  })

  it('has bigints for its client, as the service has them for its host', async () => {
    const { client, storage, vol1 } = await openHttp()
    const created = await expectOk(
      client.createQuotaRule({
        query: { return_timeout: 30 },
        body: {
          svm: { name: 'svm1' },
          volume: { name: 'vol1' },
          type: 'tree',
          qtree: { name: 'qt1' },
          space: { hard_limit: 2n ** 63n - 1n, soft_limit: 2048 },
        },
      }),
    )
    const [{ uuid = '', space } = {}] = created.records
    expect(space).toEqual({ hard_limit: 9223372036854775807n, soft_limit: 2048 })
    const limits = { spaceHard: 2n ** 53n, spaceSoft: 4096n, filesSoft: 7n }
    const { rule } = (await storage.quotaRules.update(uuid, { limits }))._unsafeUnwrap()
    expect(rule.limits).toStrictEqual({ spaceHard: 2n ** 53n, spaceSoft: 4096, filesSoft: 7 })
    for (const spaceHard of [2 ** 53, 2n ** 63n, -5n]) {
      const refused = (await storage.quotaRules.update(uuid, { limits: { spaceHard } }))._unsafeUnwrapErr()
      expect(refused).toEqual({ type: 'limit-out-of-range', limit: 'spaceHard' })
    }
    expect(vol1.name).toBe('vol1')
  })

  it('reports an enforced limit with the percentage of its use', async () => {
    const http = await openHttp()
    await makeQtree(http, 'qt1')
    await createRule(http, 'qt1', '9223372036854775807')
    await switchQuota(http, true)
    http.volume.files.write('qt1/f', { size: 8192 })
    const reports = `/api/storage/quota/reports?qtree.name=qt1&fields=space`
    const { text, body } = await http.get(`${reports}&space.hard_limit=9223372036854775807`)
    expect(limitsIn(text)).toEqual(['9223372036854775807'])
    expect(body.records[0].space.used).toEqual({ total: 8192, hard_limit_percent: 0 })
    expect((await http.get(`${reports}&space.hard_limit=<9223372036854775807`)).body.num_records).toBe(0)
    const [condition] = await http.repositories.enforcedQuotas.list(http.vol1.uuid)
    expect(condition).toBeDefined()
    const lost = await http.volume.inspect?.({
      qtrees: ['qt1'],
      limits: [{ target: { kind: 'tree', qtree: 'qt1' }, limits: { spaceHard: 2n ** 63n - 1n } }],
    })
    expect(lost).toMatchObject({ lost: [] })
  })
})

describe('the interface of clones', () => {
  it('refuses a reservation and a split load above the bounds of a node, with the exact size', async () => {
    const http = await openHttp()
    const node = await nodeOf(http)
    const body = `{"node":{"uuid":"${node}"},"reserve_size":9223372036854775807}`
    const token = await http.ask('POST', TOKENS, { body })
    expect(token.status).toBe(409)
    expect(token.body.error.message).toContain('9223372036854775807 bytes')
    const load = await http.ask('PATCH', `/api/storage/file/clone/split-loads/${node}`, {
      body: '{"load":{"maximum":9007199254740993}}',
    })
    expect(load.status).toBe(400)
    expect(load.body.error.message).toContain('9007199254740993 bytes')
    expect((await http.get(`${TOKENS}?reserve_size=<9223372036854775807`)).body.num_records).toBe(0)
  })
})
