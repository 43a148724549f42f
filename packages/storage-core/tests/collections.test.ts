import { expectOk } from '@trivium/http-client'
import { describe, expect, it } from 'vitest'
import { makeRule, NOTICES, type OpenHttp, openHttp, RULES } from './open-http.ts'

async function openWithRules(): Promise<OpenHttp> {
  const http = await openHttp()
  for (const [index, limit] of [4096, undefined, 8192, 1024, undefined].entries()) {
    await makeRule(http, { qtree: { name: `qt${index}` }, ...(limit && { space: { hard_limit: limit } }) })
  }
  return http
}

const walk = async (http: OpenHttp, first: string) => {
  const pages: (readonly unknown[])[] = []
  for (let href: string | undefined = first; href; ) {
    const { body, headers } = await http.get(href)
    pages.push(body.records)
    href = body._links.next?.href
    expect(headers.get('link')).toBe(href === undefined ? null : `<${href}>; rel="next"`)
  }
  return pages
}

describe('a collection', () => {
  it.each([
    ['', [2, 2, 2]],
    ['&order_by=space.hard_limit', [2, 2, 2]],
    ['&order_by=space.hard_limit desc, qtree.name', [2, 2, 2]],
    ['&$orderBy=volume.name,qtree.name desc', [2, 2, 2]],
    ['&space.hard_limit=>2000|null&order_by=type,space.hard_limit', [2, 2, 1]],
    ['&fields=*&query=qt%7B3%7D&query_fields=qtree.name,users.name', [1]],
  ])('returns every record once over all pages of `%s`', async (query, sizes) => {
    const http = await openWithRules()
    const pages = await walk(http, `${RULES}?max_records=2${query}`)
    expect(pages.map((page) => page.length)).toEqual(sizes)
    const whole = (await http.get(`${RULES}?${query.slice(1)}`)).body.records
    expect(pages.flat()).toEqual(whole)
  })

  it('continues after a position whose record was deleted', async () => {
    const http = await openWithRules()
    const first = (await http.get(`${RULES}?max_records=2&order_by=qtree.name`)).body
    const [, , third] = (await http.get(`${RULES}?order_by=qtree.name`)).body.records
    await http.delete(`${RULES}/${third.uuid}`)
    const second = (await http.get(first._links.next.href)).body
    expect(second.num_records).toBe(2)
    expect(second.records.map(({ uuid }: { uuid: string }) => uuid)).not.toContain(third.uuid)
  })

  it('sorts unset values first, and last in descending order', async () => {
    const { client } = await openWithRules()
    const limits = async (order_by: string) => {
      const { records = [] } = await expectOk(client.listQuotaRules({ query: { fields: 'space', order_by } }))
      return records.map(({ space }) => space?.hard_limit ?? null)
    }
    expect(await limits('space.hard_limit')).toEqual([null, null, null, 1024, 4096, 8192])
    expect(await limits('space.hard_limit desc')).toEqual([8192, 4096, 1024, null, null, null])
  })

  it('lets others run while many records are answered', async () => {
    const http = await openHttp()
    for (let number = 0; number < 2500; number += 1) {
      await http.storage.notices.publish({ id: `n${number}`, kind: 'split-done', at: http.clock.now() })
    }
    const turnsOf = async (path: string) => {
      let turns = 0
      let next = setImmediate(function count() {
        turns += 1
        next = setImmediate(count)
      })
      expect((await http.get(path)).status).toBe(200)
      clearImmediate(next)
      return turns
    }
    await turnsOf(`${NOTICES}?max_records=1`)
    const turnsOfOne = await turnsOf(`${NOTICES}?max_records=1`)
    expect(await turnsOf(NOTICES)).toBeGreaterThanOrEqual(turnsOfOne + 4)
  })

  it('returns only the number of records with `return_records=false`', async () => {
    const http = await openWithRules()
    const { body } = await http.get(`${RULES}?return_records=false&space.hard_limit=null`)
    expect(body).toEqual({ num_records: 3, _links: { self: { href: RULES } } })
  })

  it('accepts a `max_records` above the maximum', async () => {
    const { client } = await openWithRules()
    expect((await expectOk(client.listQuotaRules({ query: { max_records: 999_999 } }))).num_records).toBe(6)
  })

  it.each([
    ['fields=*', ['_links', 'files', 'qtree', 'space', 'svm', 'type', 'uuid', 'volume']],
    ['fields=**', ['_links', 'files', 'qtree', 'space', 'svm', 'type', 'uuid', 'volume']],
    ['fields=*,!space', ['_links', 'files', 'qtree', 'svm', 'type', 'uuid', 'volume']],
    ['fields=type', ['_links', 'svm', 'type', 'uuid', 'volume']],
    ['fields=svm,!svm.uuid', ['_links', 'svm', 'uuid', 'volume']],
    ['fields=, ,space.hard_limit,,', ['_links', 'space', 'svm', 'uuid', 'volume']],
    ['fields=!volume', ['_links', 'svm', 'uuid']],
    ['fields=nonsense,type&ignore_unknown_fields=true&more=1', ['_links', 'svm', 'type', 'uuid', 'volume']],
  ])('shows the members selected by `%s`', async (query, names) => {
    const http = await openHttp()
    await makeRule(http, { space: { hard_limit: 4096, soft_limit: 2048 }, files: { hard_limit: 9 } })
    const { body } = await http.get(`${RULES}?qtree.name=qt1&${query}`)
    expect(Object.keys(body.records[0]).toSorted()).toEqual(names)
    if (query.includes('!svm.uuid')) expect(body.records[0].svm).not.toHaveProperty('uuid')
    if (query.includes('hard_limit')) expect(body.records[0].space).toEqual({ hard_limit: 4096 })
  })

  it('shows only the items of an array that have a selected member', async () => {
    const http = await openHttp()
    await makeRule(http, { type: 'user', users: [{ name: 'sam' }, { id: '7' }], qtree: undefined })
    const users = async (fields: string) =>
      (await http.get(`${RULES}?users.id=7&fields=${fields}`)).body.records.map(
        (rule: { users: unknown }) => rule.users,
      )
    expect(await users('users.id')).toEqual([[{ id: '7' }]])
    expect(await users('users.name')).toEqual([[{ name: 'sam' }, { name: '7' }]])
    expect(await users('users,!users.name')).toEqual([[{ id: '7' }]])
    expect(await users('users')).toEqual([[{ name: 'sam' }, { id: '7' }]])
  })

  it('shows the selected members of one record', async () => {
    const http = await openHttp()
    const { uuid } = await makeRule(http, { space: { hard_limit: 4096 } })
    const names = async (query: string) => Object.keys((await http.get(`${RULES}/${uuid}${query}`)).body).toSorted()
    expect(await names('')).toEqual(['_links', 'qtree', 'space', 'svm', 'type', 'uuid', 'volume'])
    expect(await names('?fields=type,!volume')).toEqual(['_links', 'svm', 'type', 'uuid'])
    expect(await names('?fields=**')).toEqual(['_links', 'qtree', 'space', 'svm', 'type', 'uuid', 'volume'])
  })

  it('indents the answer with `pretty=true`', async () => {
    const http = await openWithRules()
    expect((await http.get(`${RULES}?pretty=true&max_records=1`)).text).toContain('\n  "records": [\n')
    expect((await http.get(`${RULES}?max_records=1`)).text).not.toContain('\n')
  })

  it('combines filters with and, also those on one field', async () => {
    const http = await openWithRules()
    const count = async (query: string) => (await http.get(`${RULES}?${query}`)).body.num_records
    expect(await count('space.hard_limit=>1000&space.hard_limit=<5000')).toBe(2)
    expect(await count('qtree.name=qt*&space.hard_limit=null')).toBe(2)
    expect(await count('space.hard_limit=4KB|8KB')).toBe(2)
    expect(await count('query_fields=qtree.name,volume.name,space.hard_limit&query=4096')).toBe(1)
    expect(await count('query_fields=qtree.name,volume.name&query=vol*')).toBe(6)
  })

  it('answers HEAD and OPTIONS with their headers', async () => {
    const http = await openWithRules()
    const head = await http.ask('HEAD', RULES)
    expect([head.status, head.text]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBe((await http.get(RULES)).text.length)
    const options = await http.ask('OPTIONS', RULES)
    expect([options.status, options.text]).toEqual([200, '{}'])
    expect(options.headers.get('allow')?.split(', ').toSorted()).toEqual([
      ...['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST'],
    ])
    const put = await http.ask('PUT', RULES, { body: {} })
    expect(put).toMatchObject({ status: 405, body: { error: { code: '3' } } })
    expect(put.headers.get('allow')).toContain('PATCH')
  })

  it('continues after a failure only with `continue_on_failure=true`', async () => {
    const http = await openWithRules()
    const patch = (query: string) =>
      http.patch(`${RULES}?qtree.name=qt*&order_by=qtree.name${query}`, { space: { soft_limit: 2048 } })
    const stopped = await patch('')
    expect(stopped).toMatchObject({ status: 400, body: { error: { code: '5308575' }, num_records: 3 } })
    const through = await patch('&continue_on_failure=true')
    expect(through).toMatchObject({ status: 400, body: { error: { code: '5308575' }, num_records: 4 } })
  })

  it('refuses more patterns than can be compared with each record', async () => {
    const http = await openHttp()
    const patterns = (count: number) => Array.from({ length: count }, (_, index) => `*a*${index}`).join('|')
    const refused = async (query: string) => (await http.get(`/api/storage/quota/rules?${query}`)).body.error?.message
    expect(await refused(`users.name=${patterns(20)}`)).toBeUndefined()
    expect(await refused(`users.name=${patterns(21)}`)).toMatch('it has more than 20 patterns')
    expect(await refused(`query=${patterns(20)}&query_fields=users.name,qtree.name`)).toBeUndefined()
    expect(await refused(`query=${patterns(20)}&query_fields=users.name,qtree.name,group.name`)).toBe(
      'The query has more than 40 patterns.',
    )
  })
})
