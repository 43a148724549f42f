import { createClient, expectOk } from '@trivium/http-client'
import { storageContract } from '@trivium/storage-core/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'

const RULES = '/api/storage/quota/rules'
const limits = [
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775806',
  '9223372036854775807',
]

const limitsIn = (text: string): readonly string[] =>
  [...text.matchAll(/"hard_limit": ?([^,}\s]+)/g)].map(([, digits = '']) => digits)

describe.each([
  ['Fastify and a SQLite file', { transport: 'fastify' }],
  ['Express and a database in memory', { transport: 'express', environment: { DATABASE_URL: 'memory:' } }],
] as const)('a server with %s and limits above 2^53', (_, options) => {
  let server: ServerProcess
  const send = (method: string, path: string, body?: string) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: server.admin, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    })
  const read = async (path: string): Promise<string> => (await send('GET', path)).text()

  beforeAll(async () => {
    server = await startServer(options)
    for (const [index, limit] of limits.entries()) {
      const target = `"svm":{"name":"svm1"},"volume":{"name":"vol1"},"type":"tree","qtree":{"name":"qt${index}"}`
      const body = `{${target},"space":{"hard_limit":${limit}}}`
      const created = await send('POST', `${RULES}?return_timeout=30`, body)
      expect([created.status, limitsIn(await created.text())]).toEqual([201, [limit]])
    }
  }, 120_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it.each([
    ['>=9007199254740992', limits.slice(1)],
    ['9007199254740993', [limits[2]]],
    ['9007199254740993..9223372036854775807', limits.slice(2)],
    ['!9007199254740993', limits.toSpliced(2, 1)],
    ['<9007199254740992|>9223372036854775806', [limits[0], limits[4]]],
  ])('finds them by the filter %s', async (filter, expected) => {
    const text = await read(
      `${RULES}?fields=space&order_by=space.hard_limit&space.hard_limit=${encodeURIComponent(filter)}`,
    )
    expect(limitsIn(text)).toEqual(expected)
  })

  it('lists them in order in pages of one record, from a file also after a restart', async () => {
    if (options.transport === 'fastify') {
      await server.stop()
      server = await server.restart()
    }
    for (const order of ['space.hard_limit', 'space.hard_limit desc']) {
      const found: (string | undefined)[] = []
      const query = `max_records=1&fields=space&qtree.name=qt*&order_by=${encodeURIComponent(order)}`
      for (let href = `${RULES}?${query}`; href; ) {
        const text = await read(href)
        found.push(...limitsIn(text))
        href = JSON.parse(text)._links.next?.href
      }
      expect(found).toEqual(order.endsWith('desc') ? limits.toReversed() : limits)
    }
  })

  it('changes and refuses them exactly', async () => {
    const { records } = JSON.parse(await read(`${RULES}?qtree.name=qt0`))
    const path = `${RULES}/${records[0].uuid}`
    const change = async (limit: string) => {
      const answer = await send('PATCH', `${path}?return_timeout=30`, `{"space":{"hard_limit":${limit}}}`)
      return { status: answer.status, text: await answer.text() }
    }
    expect((await change('9007199254740995')).status).toBe(200)
    expect(limitsIn(await read(path))).toEqual(['9007199254740995'])
    expect(await change('9223372036854775808')).toEqual({
      status: 400,
      text: expect.stringContaining('at most 9223372036854775807 is allowed'),
    })
    expect((await change(limits[0] ?? '')).status).toBe(200)
    const client = createClient(storageContract, { baseUrl: server.url, headers: { authorization: server.admin } })
    const query = { fields: 'space', 'space.hard_limit': limits[4], max_records: 5 }
    const listed = await expectOk(client.listQuotaRules({ query }))
    expect(listed.records?.map(({ space }) => space?.hard_limit)).toEqual([9223372036854775807n])
  })
})
