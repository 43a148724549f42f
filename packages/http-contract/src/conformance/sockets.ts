import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { HostUnderTest, StartHost } from './host-under-test.ts'
import type { Transport } from './transport.ts'

const upgrade = (host: HostUnderTest, path: string, more = '') =>
  `GET ${host.prefix}${path} HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`

export function describeSockets(start: StartHost, except: Transport['except'] = {}): void {
  const reason = except.sockets
  const connectTo = async (host: HostUnderTest, path: string) => {
    const socket = new WebSocket(`ws://127.0.0.1:${host.port}${host.prefix}${path}`)
    const [first] = await once(socket, 'message')
    return { socket, first: String(first) }
  }

  describe.skipIf(reason)(`sockets${reason ? ` (${reason})` : ''}`, () => {
    it('open with their parameters and query', async () => {
      const host = await start()
      const { socket, first } = await connectTo(host, '/sockets/echo/a%2Fb?mode=x')
      expect(JSON.parse(first)).toEqual({ params: { id: 'a/b' }, query: { mode: 'x' } })
      socket.close()
      await host.probe.seen('closed a/b')
    })

    it('report the address of the client', async () => {
      const host = await start()
      const { socket, first } = await connectTo(host, '/sockets/peer')
      expect(first).toBe('127.0.0.1')
      socket.close()
    })

    it('carry text as text and bytes as bytes, up to the limit', async () => {
      const host = await start()
      const { socket } = await connectTo(host, '/sockets/echo/a')
      for (const message of ['ü', 'x'.repeat(2 ** 20)]) {
        socket.send(message)
        const [data, isBinary] = await once(socket, 'message')
        expect([String(data) === message, isBinary]).toEqual([true, false])
      }
      socket.send(new Uint8Array([0, 255]))
      const [data, isBinary] = await once(socket, 'message')
      expect([Uint8Array.from(data), isBinary]).toEqual([new Uint8Array([0, 255]), true])
      socket.terminate()
      await host.probe.seen('closed a')
    })

    it('close with 1009 above the limit, with 1011 on a fault, and with the code of the handler', async () => {
      const host = await start()
      for (const [message, code] of [
        ['x'.repeat(2 ** 20 + 1), 1009],
        ['fail', 1011],
        ['bye', 4001],
      ] as const) {
        const { socket } = await connectTo(host, '/sockets/echo/a')
        socket.send(message)
        expect((await once(socket, 'close'))[0]).toBe(code)
      }
      expect(await host.probe.entries()).toContain('fault: a listener failed')
    })

    it('get an ordinary answer when they are refused', async () => {
      const host = await start()
      for (const [path, status, text] of [
        ['/sockets/refused', 403, '{"refused":true}'],
        ['/sockets/echo/a?mode=1&mode=2', 422, '{"failure":"invalid","parts":["query"]}'],
        ['/sockets/nowhere', 404, ''],
        ['/things/a', 404, ''],
      ] as const) {
        const connection = await host.raw()
        connection.send(upgrade(host, path))
        const refused = await connection.response()
        expect([path, refused.status, refused.text]).toEqual([path, status, text])
        expect(await connection.rest()).toBe('')
      }
    })

    it('get an ordinary answer when they are refused and the handshake has a body', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`${upgrade(host, '/sockets/refused', 'content-length: 1000\r\n')}${'x'.repeat(1000)}`)
      expect((await connection.head()).status).toBe(403)
    })

    it('pass the path of the mount to the headers of a refused handshake', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(upgrade(host, '/sockets/refused', 'x-forwarded-prefix: /stripped\r\n'))
      const { status, headers } = await connection.response()
      expect([status, headers['x-mount']]).toEqual([403, host.prefix])
    })

    it('get a 400 when the handshake is invalid', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(
        `GET ${host.prefix}/sockets/echo/a HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`,
      )
      expect((await connection.head()).status).toBe(400)
    })

    it('receive a message that arrives with the handshake', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(Buffer.concat([Buffer.from(upgrade(host, '/sockets/echo/a')), maskedText('early')]))
      expect((await connection.head()).status).toBe(101)
      await connection.until('early')
    })

    it('disconnect a client that does not read', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(upgrade(host, '/sockets/flood'))
      await connection.head()
      connection.socket.pause()
      await host.probe.seen('flood closed')
      expect(await host.probe.entries()).not.toContain('ran away')
    })

    it('answer requests for other upgrades as ordinary requests', async () => {
      const host = await start()
      const connection = await host.raw()
      const h2c = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n'
      connection.send(`POST ${host.prefix}/echo/a HTTP/1.1\r\nhost: a\r\n${h2c}content-length: 7\r\n\r\n{"a":`)
      connection.send('1}')
      expect(JSON.parse((await connection.response()).text).body).toEqual({ a: 1 })
      connection.send(`GET ${host.prefix}/things/b HTTP/1.1\r\nhost: a\r\n${h2c}\r\n`)
      expect((await connection.response()).text).toBe('{"id":"b"}')
    })
  })
}

function maskedText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}
