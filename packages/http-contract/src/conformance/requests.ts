import { describe, expect, it } from 'vitest'
import type { StartHost } from './host-under-test.ts'

export function describeRequests(start: StartHost): void {
  describe('request ids', () => {
    it.each(['mine-1', 'a.b_c:d', 'x'.repeat(128)])('keeps the id %s of a request', async (id) => {
      const host = await start()
      const { text, headers } = await host.request('GET', '/own/a', { headers: { 'x-request-id': id } })
      expect([JSON.parse(text), headers['x-request-id']]).toEqual([{ requestId: id }, id])
    })

    it.each(['', 'a b', 'x'.repeat(129), '{"a":1}'])('creates a new id in place of %j', async (id) => {
      const host = await start()
      const { text, headers } = await host.request('GET', '/own/a', { headers: { 'x-request-id': id } })
      expect([JSON.parse(text), headers['x-request-id']]).toEqual([{ requestId: 'made-1' }, 'made-1'])
    })

    it('creates an id for a request without one', async () => {
      const host = await start()
      const ids: unknown[] = []
      for (const path of ['/own/a', '/own/b']) ids.push((await host.request('GET', path)).headers['x-request-id'])
      expect(ids).toEqual(['made-1', 'made-2'])
    })

    it.each([
      ['GET', '/own/fault', 500],
      ['GET', '/own/unsendable', 500],
      ['HEAD', '/own/unsendable', 500],
      ['POST', '/own/a', 422],
      ['PUT', '/own/a', 405],
      ['OPTIONS', '/own/a', 204],
    ])('adds an id to the answer to %s %s', async (method, path, status) => {
      const host = await start()
      const answer = await host.request(method, path)
      expect([answer.status, answer.headers['x-request-id']]).toEqual([status, expect.stringMatching(/^made-[12]$/)])
    })

    it('keeps the id that a handler sets', async () => {
      const host = await start()
      expect((await host.request('GET', '/own/own-id')).headers['x-request-id']).toBe('own')
    })

    it('answers without an id when the routes create none', async () => {
      const host = await start()
      const { headers } = await host.request('GET', '/things/a', { headers: { 'x-request-id': 'mine' } })
      expect(headers['x-request-id']).toBeUndefined()
    })

    it('reports the address of the client', async () => {
      const host = await start()
      for (const localAddress of ['127.0.0.1', '127.0.0.2']) {
        expect(JSON.parse((await host.request('GET', '/peer', { localAddress })).text)).toBe(localAddress)
      }
    })

    it('passes the headers of a request as they were sent', async () => {
      const host = await start()
      const { text } = await host.request('GET', '/own/a', { headers: { 'X-Probe': 'Yes' } })
      expect(JSON.parse(text)).toMatchObject({ probe: 'Yes' })
    })
  })

  describe('a host that parses bodies itself', () => {
    it.each([
      ['{"number":1}', 200, { body: { n: 1 } }],
      ['{"n":2}', 200, { body: { n: 2 } }],
      ['{"number":"1"}', 422, { failure: 'invalid', parts: ['body'] }],
      ['{"no":3}', 409, { refused: 3 }],
      ['{', 400, { failure: 'malformed' }],
      ['', 422, { failure: 'invalid', parts: ['body'] }],
    ])('parses %j and answers with %d', async (body, status, expected) => {
      const host = await start()
      const answer = await host.request('POST', '/own/a', { body, headers: { 'x-request-id': 'mine' } })
      expect([answer.status, answer.headers['x-request-id']]).toEqual([status, 'mine'])
      expect(JSON.parse(answer.text)).toMatchObject(expected)
    })
  })
}
