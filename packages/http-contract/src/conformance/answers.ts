import { describe, expect, it } from 'vitest'
import type { StartHost } from './host-under-test.ts'
import { pictureBytes } from './probe-streams.ts'

export function describeAnswers(start: StartHost): void {
  describe('answers', () => {
    it('carry JSON with its content type, length, status and headers', async () => {
      const host = await start()
      const { status, headers, text } = await host.request('POST', '/strict', { body: '{"n":1,"more":2}' })
      expect([status, text, headers['content-type'], headers['content-length'], headers.location]).toEqual([
        201,
        '{"n":1}',
        'application/json',
        '7',
        '/elsewhere',
      ])
      expect((await host.request('GET', '/answers/absent')).status).toBe(404)
    })

    it.each([
      ['GET', '/things/a'],
      ['GET', '/pictures/whole'],
      ['GET', '/pictures/parts'],
      ['GET', '/events/two'],
      ['GET', '/events/relay-two'],
      ['GET', '/answers/secret'],
      ['GET', '/answers/circular'],
      ['PUT', '/things/a'],
      ['POST', '/strict'],
    ])('forbid browsers to guess the content type (%s %s)', async (method, path) => {
      const host = await start()
      expect((await host.request(method, path)).headers['x-content-type-options']).toBe('nosniff')
    })

    it('carry no content type and no body with 204', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`DELETE ${host.prefix}/things/a HTTP/1.1\r\nhost: a\r\n\r\n`)
      const { headers } = await connection.head()
      expect(headers['content-type']).toBeUndefined()
      expect(headers['content-length']).toBeUndefined()
      expect(headers['transfer-encoding']).toBeUndefined()
      connection.send(`GET ${host.prefix}/things/b HTTP/1.1\r\nhost: a\r\n\r\n`)
      expect((await connection.response()).text).toBe('{"id":"b"}')
    })

    it.each(['accepted', 'nothing'])('carry a length of zero without a body (%s)', async (id) => {
      const host = await start()
      const { headers, text } = await host.request('GET', `/answers/${id}`)
      expect([headers['content-type'], headers['content-length'], text]).toEqual([undefined, '0', ''])
    })

    it('carry text that is not ASCII, and 5 MiB', async () => {
      const host = await start()
      expect((await host.request('GET', '/answers/umlauts')).text).toBe('"üöä €"')
      expect((await host.request('GET', '/answers/big')).text).toHaveLength(5 * 2 ** 20 + 2)
    })

    it('carry bytes unchanged, whole and in parts', async () => {
      const host = await start()
      for (const id of ['whole', 'parts']) {
        const connection = await host.raw()
        connection.send(`GET ${host.prefix}/pictures/${id} HTTP/1.1\r\nhost: a\r\n\r\n`)
        const { headers, body } = await connection.response()
        expect([headers['content-type'], Uint8Array.from(body)]).toEqual(['image/png', pictureBytes])
      }
    })

    it('hide the cause of a fault', async () => {
      const host = await start()
      const { status, text, headers } = await host.request('GET', '/answers/secret')
      expect([status, text, headers['x-served-by']]).toEqual([500, '{"failure":"unexpected"}', 'probe'])
      expect(await host.probe.entries()).toEqual(['fault: a fault: secret'])
    })

    it.each([
      'circular',
      'split-header',
      'split-name',
      'wide-header',
    ])('become a 500 when they cannot be written (%s), and the connection stays usable', async (id) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/answers/${id} HTTP/1.1\r\nhost: a\r\n\r\n`)
      const { status, reason, headers, text } = await connection.response()
      expect([status, reason]).toEqual([500, 'Internal Server Error'])
      expect([text, headers['x-served-by']]).toEqual(['{"failure":"unexpected"}', 'probe'])
      expect([headers['set-cookie'], headers['x-a'], headers['x-b'], headers['x-c']]).toEqual(Array(4).fill(undefined))
      expect(await host.probe.entries()).toEqual([expect.stringMatching(/^fault: /)])
      connection.send(`GET ${host.prefix}/things/b HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
      expect((await connection.response()).text).toBe('{"id":"b"}')
      expect(await connection.rest()).toBe('')
    })
  })
}
