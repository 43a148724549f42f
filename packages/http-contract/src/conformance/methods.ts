import { describe, expect, it } from 'vitest'
import type { StartHost } from './host-under-test.ts'

export function describeMethods(start: StartHost): void {
  describe('methods', () => {
    it('answers HEAD with the headers of GET and without a body, and the connection stays usable', async () => {
      const host = await start()
      const connection = await host.raw()
      const ask = (method: string) =>
        connection.send(`${method} ${host.prefix}/answers/umlauts HTTP/1.1\r\nhost: a\r\n\r\n`)
      ask('HEAD')
      const head = await connection.response({ to: 'HEAD' })
      ask('GET')
      const get = await connection.response()
      expect(get.text).toBe('"üöä €"')
      for (const name of ['content-type', 'content-length', 'x-served-by']) {
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
      }
      expect(head.headers['content-length']).toBe('12')
    })

    it('answers HEAD of a fault, of an answer without a body, and of bytes', async () => {
      const host = await start()
      const fault = await host.request('HEAD', '/answers/fault')
      expect([fault.status, fault.text]).toEqual([500, ''])
      expect((await host.request('HEAD', '/answers/accepted')).status).toBe(202)
      const picture = await host.request('HEAD', '/pictures/whole')
      expect([picture.headers['content-type'], picture.headers['content-length']]).toEqual(['image/png', '256'])
    })

    it.each([
      'silent',
      'endless',
    ])('answers HEAD of the %s stream immediately, and reads nothing from its source', async (id) => {
      const host = await start()
      const { status, headers, text } = await host.request('HEAD', `/events/${id}`)
      expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream', ''])
      await host.probe.seen('source closed')
      expect([await host.probe.entries(), await host.probe.produced()]).toEqual([['source closed'], 0])
    })

    it('answers HEAD of a relay without starting it', async () => {
      const host = await start()
      expect((await host.request('HEAD', '/events/relay-two')).text).toBe('')
      expect(await host.probe.entries()).toEqual(['relay cancelled'])
    })

    it('answers OPTIONS with the methods of the path', async () => {
      const host = await start()
      const { status, headers, text } = await host.request('OPTIONS', '/things/a')
      expect([status, headers.allow, headers['content-type'], headers['x-served-by'], text]).toEqual([
        204,
        'GET, HEAD, DELETE, OPTIONS',
        undefined,
        'probe',
        '',
      ])
      expect((await host.request('OPTIONS', '/echo/a')).headers.allow).toBe('POST, OPTIONS')
    })

    it.each([
      'GET',
      'PUT',
      'PATCH',
      'DELETE',
      'QUERY',
    ])('refuses %s with the failure of the API when the path has only POST', async (method) => {
      const host = await start()
      const { status, headers, text } = await host.request(method, '/strict', { body: '{' })
      expect([status, headers.allow, headers['x-served-by']]).toEqual([405, 'POST, OPTIONS', 'probe'])
      expect(JSON.parse(text)).toEqual({ failure: 'method', method })
    })

    it('refuses HEAD when the path has no GET', async () => {
      const host = await start()
      const { status, headers, text } = await host.request('HEAD', '/strict')
      expect([status, headers.allow, text]).toEqual([405, 'POST, OPTIONS', ''])
    })
  })
}
