import { describe, expect, it } from 'vitest'
import type { StartHost } from './host-under-test.ts'

export function describeConnections(start: StartHost): void {
  describe('connections', () => {
    it('carry several requests in succession', async () => {
      const host = await start()
      const connection = await host.raw()
      for (const id of ['a', 'b', 'c']) {
        connection.send(`POST ${host.prefix}/echo/${id} HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}`)
        expect(JSON.parse((await connection.response()).text).params).toEqual({ id })
        connection.send(`GET ${host.prefix}/events/two HTTP/1.1\r\nhost: a\r\n\r\n`)
        expect((await connection.response()).text).toContain('[DONE]')
      }
    })

    it('answer pipelined requests in their order', async () => {
      const host = await start()
      const connection = await host.raw()
      const get = (path: string) => `GET ${host.prefix}${path} HTTP/1.1\r\nhost: a\r\n\r\n`
      connection.send(
        [
          get('/gated/slow'),
          get('/events/two'),
          get('/events/relay-two'),
          `POST ${host.prefix}/echo/p HTTP/1.1\r\nhost: a\r\ncontent-length: 7\r\n\r\n{"n":1}`,
          `HEAD ${host.prefix}/things/h HTTP/1.1\r\nhost: a\r\n\r\n`,
          get('/answers/split-header'),
          get('/things/last'),
        ].join(''),
      )
      await host.probe.seen('slow waiting')
      host.probe.open('slow')
      expect((await connection.response()).text).toBe('{"id":"slow"}')
      expect((await connection.response()).text).toContain('[DONE]')
      expect((await connection.response()).text).toContain('data: ü')
      expect(JSON.parse((await connection.response()).text).body).toEqual({ n: 1 })
      expect((await connection.response({ to: 'HEAD' })).headers['content-length']).toBe('10')
      expect((await connection.response()).status).toBe(500)
      expect((await connection.response()).text).toBe('{"id":"last"}')
    })

    it('pass all of several `authorization` headers', async () => {
      const host = await start()
      const connection = await host.raw()
      const post = (headers: string) =>
        `POST ${host.prefix}/echo/a HTTP/1.1\r\nhost: a\r\n${headers}content-length: 2\r\n\r\n{}`
      connection.send(post('authorization: Bearer one\r\n'))
      expect(JSON.parse((await connection.response()).text).authorization).toBe('Bearer one')
      connection.send(post('authorization: Bearer one\r\nAUTHORIZATION: Bearer two\r\n'))
      const { authorization } = JSON.parse((await connection.response()).text)
      expect([authorization].flat().join(', ')).toBe('Bearer one, Bearer two')
    })

    it('close when the client requests it', async () => {
      const host = await start()
      for (const path of ['/things/a', '/events/two']) {
        const connection = await host.raw()
        connection.send(`GET ${host.prefix}${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
        expect((await connection.response()).status).toBe(200)
        expect(await connection.rest()).toBe('')
      }
    })
  })
}
