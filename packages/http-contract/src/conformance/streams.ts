import { once } from 'node:events'
import { request } from 'node:http'
import { createGunzip } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { StartHost } from './host-under-test.ts'

export function describeStreams(start: StartHost): void {
  describe('streams', () => {
    it('send events with their sentinel, and with headers that forbid buffering', async () => {
      const host = await start()
      const { headers, text } = await host.request('GET', '/events/two')
      expect(text).toBe('data: {"n":1,"text":"a\\nb"}\n\ndata: {"n":2}\n\ndata: [DONE]\n\n')
      expect([
        headers['content-type'],
        headers['cache-control'],
        headers['x-accel-buffering'],
        headers['x-served-by'],
      ]).toEqual(['text/event-stream', 'no-cache, no-transform', 'no', 'probe'])
      expect((await host.request('GET', '/events/none')).text).toBe('data: [DONE]\n\n')
    })

    it('send each event before the next one exists', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/events/gated HTTP/1.1\r\nhost: a\r\n\r\n`)
      host.probe.open('first')
      await connection.until('data: 1\n\n')
      host.probe.open('second')
      await connection.until('data: 2\n\n')
      await connection.until('data: [DONE]\n\n\r\n0\r\n\r\n')
    })

    it('send their status before the first event when they commit immediately', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/announced HTTP/1.1\r\nhost: a\r\n\r\n`)
      expect((await connection.head()).status).toBe(200)
      host.probe.open('first')
      await connection.until('data: 1\n\n')
    })

    it('send keep-alive comments', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/commented HTTP/1.1\r\nhost: a\r\n\r\n`)
      await connection.until('data: 1\n\n')
      await connection.until(': keep-alive\n\n')
      host.probe.open('second')
      await connection.until('data: 2\n\n')
    })

    it('become a 500 when they fail before the first event', async () => {
      const host = await start()
      const { status, headers, text } = await host.request('GET', '/events/early-failure')
      expect([status, headers['content-type'], text]).toEqual([500, 'application/json', '{"failure":"unexpected"}'])
    })

    it.each([
      ['two', 'source closed'],
      ['relay-silent', 'relay cancelled'],
    ])('become a 500 when their headers cannot be written (%s)', async (id, end) => {
      const host = await start()
      const { status, headers, text } = await host.request('GET', `/unsendable/${id}`)
      expect([status, headers['content-type'], headers.c]).toEqual([500, 'application/json', undefined])
      expect(text).toBe('{"failure":"unexpected"}')
      expect(await host.probe.entries()).toHaveLength(2)
      expect(await host.probe.entries()).toEqual(expect.arrayContaining([end, expect.stringMatching(/^fault: /)]))
    })

    it('end with the failure and without the sentinel when they fail later', async () => {
      const host = await start()
      const { status, text } = await host.request('GET', '/events/late-failure')
      expect([status, text]).toEqual([200, 'data: 1\n\ndata: {"failure":"interrupted"}\n\n'])
      expect(await host.probe.entries()).toContain('fault: the source failed')
    })

    it('send lines of JSON', async () => {
      const host = await start()
      const { headers, text } = await host.request('GET', '/lines/whole')
      expect([headers['content-type'], text]).toEqual(['application/x-ndjson', '{"n":1}\n{"n":2}\n'])
    })

    it.each([
      '/lines/broken',
      '/pictures/broken',
      '/events/relay-broken',
    ])('cut off %s when the source fails, so that the client sees that it is incomplete', async (path) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
      expect((await connection.head()).status).toBe(200)
      host.probe.open('second')
      expect(await connection.rest()).not.toMatch(/(^|\r\n)0\r\n\r\n$/)
    })

    it('relay bytes as they arrive', async () => {
      const host = await start()
      const { headers, text } = await host.request('GET', '/events/relay-two')
      expect([headers['content-type'], text]).toEqual(['text/event-stream', 'data: 1\n\ndata: ü\n\n'])
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/events/relay-gated HTTP/1.1\r\nhost: a\r\n\r\n`)
      expect((await connection.head()).status).toBe(200)
      host.probe.open('first')
      await connection.until('data: 1\n\n')
      host.probe.open('second')
      await connection.until('\r\n0\r\n\r\n')
    })

    it.each([
      '/events/two',
      '/events/relay-two',
    ])('reach HTTP/1.0 clients until the connection closes (%s)', async (path) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}${path} HTTP/1.0\r\n\r\n`)
      const { headers } = await connection.head()
      expect(headers['transfer-encoding']).toBeUndefined()
      expect(await connection.rest()).toMatch(/^data: .*\n\n$/s)
    })
  })
}

/** Tests of streams through a compression middleware of the host. */
export function describeCompression(start: StartHost): void {
  describe('streams through compression', () => {
    it.each([
      '/events/gated',
      '/events/relay-gated',
      '/announced',
    ])('send each event of %s immediately', async (path) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}${path} HTTP/1.1\r\nhost: a\r\naccept-encoding: gzip, deflate, br\r\n\r\n`)
      host.probe.open('first')
      await connection.until('data: 1\n\n')
      host.probe.open('second')
      await connection.until('0\r\n\r\n')
    })

    it.each(['gated', 'relay-gated'])('send each event of %s immediately when it may be compressed', async (id) => {
      const host = await start()
      const outgoing = request({
        port: host.port,
        host: '127.0.0.1',
        path: `${host.prefix}/compressible/${id}`,
        headers: { 'accept-encoding': 'gzip' },
        agent: false,
      }).end()
      host.probe.open('first')
      const [incoming] = await once(outgoing, 'response')
      const plain = incoming.headers['content-encoding'] === 'gzip' ? incoming.pipe(createGunzip()) : incoming
      expect(String((await once(plain, 'data'))[0])).toBe('data: 1\n\n')
      plain.resume()
      host.probe.open('second')
      await once(plain, 'end')
    })

    it('end when the host stops', async () => {
      const host = await start({ graceSeconds: 60 })
      const outgoing = request({
        port: host.port,
        host: '127.0.0.1',
        path: `${host.prefix}/watched/compressible`,
        headers: { 'accept-encoding': 'gzip' },
        agent: false,
      }).end()
      const [incoming] = await once(outgoing, 'response')
      const plain = incoming.headers['content-encoding'] === 'gzip' ? incoming.pipe(createGunzip()) : incoming
      expect(String((await once(plain, 'data'))[0])).toBe('data: 1\n\n')
      await Promise.all([once(plain.resume(), 'end'), host.close()])
      expect(incoming.complete).toBe(true)
    })

    it('let the middleware compress whole answers', async () => {
      const host = await start()
      const { headers } = await host.request('GET', '/answers/big', { headers: { 'accept-encoding': 'gzip' } })
      expect(headers['content-encoding']).toBe('gzip')
    })
  })
}
