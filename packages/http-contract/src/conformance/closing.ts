import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { HostUnderTest, StartHost } from './host-under-test.ts'
import type { Transport } from './transport.ts'

const LAST_CHUNK = '\r\n0\r\n\r\n'

const get = ({ prefix }: HostUnderTest, path: string) => `GET ${prefix}${path} HTTP/1.1\r\nhost: a\r\n\r\n`

async function openOn(host: HostUnderTest, request: string, sign?: string) {
  const connection = await host.raw()
  connection.send(request)
  if (sign !== undefined) await connection.until(sign)
  return connection
}

/** Opens a finite stream, a request whose body is half sent, and a request that is being answered. */
async function openRunning(host: HostUnderTest) {
  const stream = await openOn(host, get(host, '/events/gated'))
  host.probe.open('first')
  await stream.until('data: 1\n\n')
  const half = await openOn(host, `POST ${host.prefix}/echo/a HTTP/1.1\r\nhost: a\r\ncontent-length: 7\r\n\r\n{"n":`)
  const answer = await openOn(host, get(host, '/gated/last'))
  await host.probe.seen('last waiting')
  return { stream, half, answer }
}

export function describeClosing(start: StartHost, except: Transport['except'] = {}): void {
  const closing = except.closing
  describe.skipIf(closing)(`a host that stops${closing ? ` (${closing})` : ''}`, () => {
    it('ends streams and answers without an end as complete, and closes their connections', async () => {
      const host = await start({ graceSeconds: 60 })
      const idle = await openOn(host, get(host, '/things/a'), '{"id":"a"}')
      const watched = await openOn(host, get(host, '/watched/a'), 'data: 1\n\n')
      const polled = await openOn(host, get(host, '/polled'))
      await host.probe.seen('polling')
      const socket = new WebSocket(`ws://127.0.0.1:${host.port}${host.prefix}/sockets/echo/a`)
      await once(socket, 'message')
      const [[code]] = await Promise.all([once(socket, 'close'), host.close()])
      expect(code).toBe(1001)
      expect(await watched.rest()).toBe(LAST_CHUNK)
      const { status, headers, text } = await polled.response()
      expect([status, headers.connection, text]).toEqual([200, 'close', '"polled"'])
      expect([await polled.rest(), await idle.rest()]).toEqual(['', ''])
      expect((await host.probe.entries()).filter((entry) => entry.startsWith('fault'))).toEqual([])
    })

    it('lets running answers end, and closes their connections', async () => {
      const host = await start({ graceSeconds: 60 })
      const { stream, half, answer } = await openRunning(host)
      const watched = await openOn(host, get(host, '/watched/a'), 'data: 1\n\n')
      const closed = host.close()
      await watched.rest()
      host.probe.open('second')
      host.probe.open('last')
      half.send('1}')
      await stream.until(`data: 2\n\n`)
      await stream.until(LAST_CHUNK)
      expect(await stream.rest()).toBe('')
      for (const [connection, path] of [
        [half, '/echo'],
        [answer, '/gated'],
      ] as const) {
        const { status, headers } = await connection.response()
        expect([path, status, headers.connection]).toEqual([path, 200, 'close'])
        expect(await connection.rest()).toBe('')
      }
      await closed
    })

    it('cuts off the answers that run longer than the grace', async () => {
      const host = await start({ graceSeconds: 0.05 })
      const { stream, half, answer } = await openRunning(host)
      const hung = await openOn(host, get(host, '/hang'))
      await host.probe.seen('hanging')
      await host.close()
      await Promise.all([host.probe.seen('source closed'), host.probe.seen('hang aborted')])
      expect(await stream.rest()).not.toContain(LAST_CHUNK)
      for (const connection of [half, answer, hung]) expect(await connection.rest()).toBe('')
    })

    it('closes connections that have sent nothing before the running answers end', async () => {
      const host = await start({ graceSeconds: 60 })
      const silent = await host.raw()
      const answer = await openOn(host, get(host, '/gated/last'))
      await host.probe.seen('last waiting')
      const closed = host.close()
      expect(await silent.rest()).toBe('')
      host.probe.open('last')
      expect((await answer.response()).status).toBe(200)
      await closed
    })

    it('waits for the head of a request no longer than the grace', async () => {
      const host = await start({ graceSeconds: 0.2 })
      const whole = get(host, '/things/a')
      const half = await openOn(host, whole.slice(0, 7))
      const kept = await openOn(host, whole + whole.slice(0, -2), '{"id":"a"}')
      const slow = await openOn(host, whole.slice(0, -2))
      const drip = setInterval(() => slow.send('x-more: 1\r\n'), 20)
      slow.socket.once('close', () => clearInterval(drip))
      await host.close()
      for (const connection of [half, kept, slow]) expect(await connection.rest()).toBe('')
    })

    it('answers or refuses a request that arrives late, and closes its connection', async () => {
      const host = await start({ graceSeconds: 60 })
      const late = await Promise.all(
        ['/things/a', '/watched/a', '/polled'].map((path) => openOn(host, get(host, path).slice(0, -2))),
      )
      const watched = await openOn(host, get(host, '/watched/a'), 'data: 1\n\n')
      const closed = host.close()
      await watched.rest()
      for (const connection of late) {
        connection.send('\r\n')
        const { status, headers } = await connection.response()
        expect([200, 503]).toContain(status)
        expect(headers.connection).toBe('close')
        expect(await connection.rest()).toBe('')
      }
      await closed
    })
  })
}
