import { describe, expect, it } from 'vitest'
import type { StartHost } from './host-under-test.ts'

const forwarded = {
  'x-forwarded-for': '192.0.2.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'public.example',
  'x-forwarded-prefix': '/stripped',
}

export function describeMounts(start: StartHost): void {
  describe('the mount', () => {
    it('reports the name, the port and the prefix that the client used', async () => {
      const host = await start()
      const { text } = await host.request('GET', '/place', { headers: { host: 'shop.example:8080' } })
      expect(JSON.parse(text)).toEqual({ origin: 'http://shop.example:8080', path: host.prefix })
    })

    it('ignores the headers of a proxy that the host does not trust', async () => {
      const host = await start()
      const { text } = await host.request('GET', '/place', { headers: { host: 'shop.example', ...forwarded } })
      expect(JSON.parse(text)).toEqual({ origin: 'http://shop.example', path: host.prefix })
    })

    it.each([
      'evil.example/x',
      'user@evil.example',
      'evil.example"><script>',
      'evil.example\\x',
      'a\r\nhost: evil.example',
      'evil.example\r\nhost: a',
    ])('never repeats the host %j', async (name) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/place HTTP/1.1\r\nhost: ${name}\r\nconnection: close\r\n\r\n`)
      const { status, text } = await connection.response()
      expect(text).not.toContain('evil')
      if (status === 200) expect(JSON.parse(text)).toEqual({ origin: 'http://localhost', path: host.prefix })
      else expect(status).toBe(400)
    })

    it.each([
      ['GET', '/answers/absent', 404],
      ['GET', '/strict', 405],
      ['OPTIONS', '/strict', 204],
      ['POST', '/strict', 422],
      ['GET', '/answers/circular', 500],
      ['GET', '/answers/fault', 500],
    ] as const)('passes its path to the headers of %s %s', async (method, path, status) => {
      const host = await start()
      const reply = await host.request(method, path, method === 'POST' ? { body: '{}' } : {})
      expect([reply.status, reply.headers['x-mount']]).toEqual([status, host.prefix])
    })
  })
}
