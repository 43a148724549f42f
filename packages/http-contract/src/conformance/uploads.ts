import { describe, expect, it } from 'vitest'
import type { HostUnderTest, StartHost } from './host-under-test.ts'
import type { RawConnection } from './raw-connection.ts'

const CHUNKED = 'transfer-encoding: chunked\r\n'

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

function begin({ prefix }: HostUnderTest, connection: RawConnection, path: string, headers: string): void {
  connection.send(`POST ${prefix}${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`)
}

async function expectUsable({ prefix }: HostUnderTest, connection: RawConnection): Promise<void> {
  connection.send(`GET ${prefix}/things/b HTTP/1.1\r\nhost: a\r\n\r\n`)
  expect((await connection.response()).text).toBe('{"id":"b"}')
}

/** More than the buffers of two sockets and a transport hold. */
const LARGE = 2 ** 26

export function describeUploads(start: StartHost): void {
  describe('uploads', () => {
    it.each([
      'multipart/form-data; boundary=x',
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'nonsense',
    ])('reach the handler as they were sent, with the content type %s', async (type) => {
      const host = await start()
      const body = '--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\n{"a":\r\n'
      const { status, text } = await host.request('POST', '/uploads/text', { headers: { 'content-type': type }, body })
      expect([status, JSON.parse(text)]).toEqual([200, body])
    })

    it('report a content type and a length where the client sends them', async () => {
      const host = await start()
      const headers = { 'content-type': 'audio/wav' }
      const { text } = await host.request('POST', '/uploads/count', { headers, body: 'abc' })
      expect(JSON.parse(text)).toEqual({ received: 3, contentType: 'audio/wav', announced: 3 })
    })

    it.each(['content-length: 0\r\n', `${CHUNKED}`])('reach the handler when they are empty (%j)', async (headers) => {
      const host = await start()
      const connection = await host.raw()
      begin(host, connection, '/uploads/count', headers)
      if (headers === CHUNKED) connection.send('0\r\n\r\n')
      expect(JSON.parse((await connection.response()).text)).toMatchObject({ received: 0 })
    })

    it('arrive before their end', async () => {
      const host = await start()
      const connection = await host.raw()
      begin(host, connection, '/uploads/journal', CHUNKED)
      connection.send(chunk('one'))
      await host.probe.seen('chunk one')
      connection.send(chunk('two'))
      await host.probe.seen('chunk two')
      connection.send('0\r\n\r\n')
      expect(JSON.parse((await connection.response()).text)).toEqual({ received: 6 })
    })

    it('pause the client while no chunk is requested', async () => {
      const host = await start()
      const connection = await host.raw()
      begin(host, connection, '/uploads/slow', `content-length: ${LARGE}\r\n`)
      const { socket } = connection
      const part = Buffer.alloc(2 ** 16)
      const before = socket.bytesWritten
      const taken = () => socket.bytesWritten - before - socket.writableLength
      let queued = 0
      const pour = () => {
        while (queued < LARGE) {
          queued += part.length
          if (!socket.write(part)) return
        }
      }
      socket.on('drain', pour)
      pour()
      await settled(taken)
      expect(taken()).toBeLessThan(LARGE)
      host.probe.open('read on')
      expect(JSON.parse((await connection.response()).text)).toMatchObject({ received: LARGE })
    })

    it('accept exactly as many bytes as the limit', async () => {
      const host = await start()
      const { text } = await host.request('POST', '/limited-uploads', { body: 'x'.repeat(1000) })
      expect(JSON.parse(text)).toMatchObject({ received: 1000 })
    })

    it('get a 413 for a longer announced length, and the connection stays usable', async () => {
      const host = await start()
      const connection = await host.raw()
      begin(host, connection, '/limited-uploads', 'content-length: 1001\r\n')
      const refused = await connection.response()
      expect([refused.status, refused.text]).toEqual([413, '{"failure":"too-large","limit":1000}'])
      connection.send('x'.repeat(1001))
      await expectUsable(host, connection)
    })

    it('get a 413 while they are read, and the connection stays usable', async () => {
      const host = await start()
      const connection = await host.raw()
      begin(host, connection, '/limited-uploads', CHUNKED)
      connection.send(chunk('x'.repeat(1001)))
      const refused = await connection.response()
      expect([refused.status, refused.text]).toEqual([413, '{"failure":"too-large","limit":1000}'])
      connection.send(`${chunk('hello')}0\r\n\r\n`)
      await expectUsable(host, connection)
    })

    it.each([
      ['first', 200],
      ['unread', 200],
      ['fault', 500],
    ])('keep the connection usable when the handler leaves a part unread (%s)', async (id, status) => {
      const host = await start()
      const connection = await host.raw()
      begin(host, connection, `/uploads/${id}`, CHUNKED)
      connection.send(chunk('one'))
      expect((await connection.response()).status).toBe(status)
      connection.send(`${chunk('two')}0\r\n\r\n`)
      await expectUsable(host, connection)
    })

    it.each([
      ['content-length: 100\r\n', 'one'],
      [CHUNKED, chunk('one')],
    ])('end with an error when the client disconnects (%j)', async (headers, sent) => {
      const host = await start()
      const connection = await host.raw()
      begin(host, connection, '/uploads/journal', headers)
      connection.send(sent)
      await host.probe.seen('chunk one')
      connection.close()
      await Promise.all([host.probe.seen('upload disconnected'), host.probe.seen('signal aborted')])
      expect((await host.request('GET', '/things/a')).status).toBe(200)
      expect((await host.probe.entries()).filter((entry) => entry.startsWith('fault'))).toEqual([])
    })

    it('end with an error when a chunk is malformed', async () => {
      const host = await start()
      const connection = await host.raw()
      begin(host, connection, '/uploads/journal', CHUNKED)
      connection.send(chunk('one'))
      await host.probe.seen('chunk one')
      connection.send('zz\r\n')
      await host.probe.seen('upload disconnected')
    })
  })
}

/** Resolves once the value has not changed for 200 ms. */
async function settled(read: () => number): Promise<void> {
  let last = read()
  for (let quiet = 0; quiet < 20; quiet += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    const now = read()
    if (now !== last) quiet = 0
    last = now
  }
}
