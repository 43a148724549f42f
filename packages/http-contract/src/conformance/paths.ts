import { describe, expect, it } from 'vitest'
import type { StartHost } from './host-under-test.ts'
import { send } from './host-under-test.ts'

export function describePaths(start: StartHost): void {
  describe('paths and queries', () => {
    it.each([
      ['a%20b', 'a b'],
      ['a%2Fb', 'a/b'],
      ['a%252Fb', 'a%2Fb'],
      ['%C3%BC%E2%82%AC', 'ü€'],
      ['a+b', 'a+b'],
      ['a:b;c=d,e', 'a:b;c=d,e'],
      ['..%2F..%2Fetc', '../../etc'],
      ['%3F%23%25', '?#%'],
    ])('decodes the parameter %s', async (sent, id) => {
      const host = await start()
      expect(JSON.parse((await host.request('GET', `/things/${sent}`)).text)).toEqual({ id })
    })

    it('prefers a literal segment to a parameter', async () => {
      const host = await start()
      expect((await host.request('GET', '/things/mine')).text).toBe('"mine"')
      expect((await host.request('DELETE', '/things/mine')).status).toBe(405)
    })

    it('names a parameter as its operation does', async () => {
      const host = await start()
      expect((await host.request('DELETE', '/things/a%2Fb')).status).toBe(204)
      expect(await host.probe.entries()).toEqual(['dropped a/b'])
    })

    it.each([
      ['provider/model', 'provider/model'],
      ['provider%2Fmodel', 'provider/model'],
      ['a/b%2Fc/d.txt', 'a/b/c/d.txt'],
      ['one', 'one'],
    ])('matches the rest %s with its slashes', async (sent, path) => {
      const host = await start()
      expect(JSON.parse((await host.request('GET', `/files/${sent}`)).text)).toEqual({ path })
    })

    it.each([
      '/things',
      '/things/',
      '/things/a/',
      '/Things/a',
      '//things/a',
      '/things//a',
      '/files/',
      '/files',
      '/',
      '',
    ])('leaves %s to the host', async (path) => {
      const host = await start()
      const { status, headers } = await host.request('GET', path)
      expect([status, headers['x-served-by']]).toEqual([404, undefined])
    })

    it.each([
      '/bare/../things/mine',
      '/things/./mine',
      '/things/x/%2e%2e/mine',
      '/things/x/%2E./mine',
      '/bare\\..\\things\\mine',
      '/things\\mine',
      '/../prefix/things/mine',
      '/%2e%2e/%2e%2e/%2e%2e/host',
    ])('matches no normalised path for %s', async (path) => {
      const host = await start()
      expect([400, 404]).toContain((await host.request('GET', path)).status)
    })

    it('serves the routes only under the prefix, next to the routes of the host', async () => {
      const host = await start()
      expect((await send(host.port, 'GET', '/host')).text).toBe('host')
      expect((await send(host.port, 'GET', '/things/a')).status).toBe(404)
      expect((await send(host.port, 'GET', `${host.prefix}x/things/a`)).status).toBe(404)
    })

    it.each([
      '/lenient/records/a',
      '/lenient//records/a',
      '/lenient/records///a',
      '/lenient/records/a/',
      '/lenient//records//a//',
    ])('matches the lenient route for %s', async (path) => {
      const host = await start()
      const { text } = await host.request('GET', `${path}?fields=*&b.c=1`)
      expect(JSON.parse(text)).toEqual({ id: 'a', rawQuery: 'fields=*&b.c=1' })
    })

    it('serves every method of a lenient path', async () => {
      const host = await start()
      expect((await host.request('GET', '/lenient//records/')).text).toBe('"all"')
      expect((await host.request('HEAD', '/lenient//records/')).headers['content-length']).toBe('5')
      const refused = await host.request('PUT', '/lenient//records/')
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
      const described = await host.request('OPTIONS', '/lenient//records/')
      expect([described.status, described.text, described.headers.allow]).toEqual([200, '{}', 'GET, HEAD, OPTIONS'])
      expect((await host.request('GET', '/lenient//elsewhere/')).status).toBe(404)
    })

    it('passes a query as it was sent, and parsed', async () => {
      const host = await start()
      const query = 'space.hard_limit=%3E5%7Cnull&tag=a&tag=b&plus=a+b%2Bc&empty=&bare&%C3%BC=%E2%82%AC'
      const { text } = await host.request('POST', `/echo/a?${query}`)
      expect(JSON.parse(text)).toMatchObject({
        rawQuery: query,
        query: { 'space.hard_limit': '>5|null', tag: ['a', 'b'], plus: 'a b+c', empty: '', bare: '', ü: '€' },
      })
    })

    it.each([
      ['', {}],
      ['?', {}],
      ['?a=b?c=d', { a: 'b?c=d' }],
      ['?a.b[c]=*&d=!x,y|z', { 'a.b[c]': '*', d: '!x,y|z' }],
      ['?__proto__=x&a=b', { a: 'b' }],
      ['?a=100%', { a: '100%' }],
    ])('parses the query %s', async (query, expected) => {
      const host = await start()
      const { query: parsed } = JSON.parse((await host.request('POST', `/echo/a${query}`)).text)
      expect(Object.entries(parsed)).toEqual(Object.entries(expected))
    })

    it('passes undefined for parts that the operation does not declare', async () => {
      const host = await start()
      const { text } = await host.request('GET', '/bare?a=b', { headers: { 'content-type': 'application/json' } })
      expect(JSON.parse(text)).toEqual(Array.from({ length: 5 }, () => 'undefined'))
    })
  })
}
