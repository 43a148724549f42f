import { describe, expect, it } from 'vitest'
import type { HostUnderTest, StartHost } from './host-under-test.ts'
import type { Transport } from './transport.ts'

/** Requests whose end two parsers could see in different places, each followed by another request. */
const ambiguous: Readonly<Record<string, readonly [headers: string, body: string]>> = {
  'both lengths': ['content-length: 4\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n'],
  'both lengths, the other way round': ['transfer-encoding: chunked\r\ncontent-length: 4\r\n', '0\r\n\r\n'],
  'two lengths': ['content-length: 2\r\ncontent-length: 3\r\n', '{}'],
  'one length twice': ['content-length: 2\r\ncontent-length: 2\r\n', '{}'],
  'a list of lengths': ['content-length: 2, 2\r\n', '{}'],
  'a signed length': ['content-length: +2\r\n', '{}'],
  'a negative length': ['content-length: -2\r\n', '{}'],
  'a length in hexadecimal': ['content-length: 0x2\r\n', '{}'],
  'a length beyond all numbers': ['content-length: 99999999999999999999\r\n', '{}'],
  'an unknown coding': ['transfer-encoding: xchunked\r\n', '0\r\n\r\n'],
  'a coding after the last': ['transfer-encoding: chunked, identity\r\n', '0\r\n\r\n'],
  'two codings': ['transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n', '0\r\n\r\n'],
  'a coding after a vertical tab': ['transfer-encoding: \x0bchunked\r\n', '0\r\n\r\n'],
  'a space before the colon': ['transfer-encoding : chunked\r\n', '0\r\n\r\n'],
  'a folded coding': ['transfer-encoding:\r\n chunked\r\n', '0\r\n\r\n'],
  'a folded header': ['x-a: b\r\n transfer-encoding: chunked\r\n', '0\r\n\r\n'],
  'an invalid chunk size': ['transfer-encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'],
  'a negative chunk size': ['transfer-encoding: chunked\r\n', '-2\r\n{}\r\n0\r\n\r\n'],
  'a chunk size beyond all numbers': ['transfer-encoding: chunked\r\n', `${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n`],
  'a chunk longer than its size': ['transfer-encoding: chunked\r\n', '1\r\n{}\r\n0\r\n\r\n'],
  'a chunk size before a bare line feed': ['transfer-encoding: chunked\r\n', '2\n{}\r\n0\r\n\r\n'],
  'a chunk extension with a bare line feed': ['transfer-encoding: chunked\r\n', '2;a\nb\r\n{}\r\n0\r\n\r\n'],
  'a bare carriage return': ['x-a: b\rtransfer-encoding: chunked\r\n', ''],
  'a zero byte': ['x-a: b\0\r\n', ''],
}

const oversized: Readonly<Record<string, (host: HostUnderTest) => string>> = {
  'a header': ({ prefix }) => `GET ${prefix}/things/a HTTP/1.1\r\nhost: a\r\nx-a: ${'b'.repeat(2 ** 20)}\r\n\r\n`,
  'ten thousand headers': ({ prefix }) => `GET ${prefix}/things/a HTTP/1.1\r\nhost: a\r\n${'a: b\r\n'.repeat(1e4)}\r\n`,
  'a path': ({ prefix }) => `GET ${prefix}/things/${'a'.repeat(2 ** 20)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  'a query': ({ prefix }) => `GET ${prefix}/things/a?${'b'.repeat(2 ** 20)} HTTP/1.1\r\nhost: a\r\n\r\n`,
}

const MOST_SENT_BYTES = 2 ** 28

/** Parts of a chunked body that can be endless without being content. */
const endless: Readonly<Record<string, readonly [begun: string, more: string]>> = {
  'a chunk extension': ['2;a=', 'b'.repeat(2 ** 16)],
  'many chunk extensions': ['', `1;a=${'b'.repeat(1000)}\r\n \r\n`.repeat(2 ** 6)],
  'a trailing header': ['0\r\nx-a: ', 'b'.repeat(2 ** 16)],
  'trailing headers': ['0\r\n', 'x-a: b\r\n'.repeat(2 ** 13)],
}

export function describeMalformed(start: StartHost, except: Transport['except'] = {}): void {
  const expectRefusal = async (host: HostUnderTest, bytes: string, status: RegExp) => {
    const [attacker, other] = [await host.raw(), await host.raw()]
    attacker.send(bytes)
    // The connection may be reset where bytes are left unread.
    expect(await attacker.rest()).toMatch(status)
    other.send(`GET ${host.prefix}/things/b HTTP/1.1\r\nhost: a\r\n\r\n`)
    expect((await other.response()).text).toBe('{"id":"b"}')
    expect(await host.probe.entries()).toEqual([])
  }

  describe('an ambiguous request', () => {
    it.each(Object.entries(ambiguous))('gets a 400 and its connection is closed: %s', async (_, [headers, body]) => {
      const host = await start()
      const hidden = `DELETE ${host.prefix}/things/hidden HTTP/1.1\r\nhost: a\r\n\r\n`
      const request = `DELETE ${host.prefix}/bodies/a HTTP/1.1\r\nhost: a\r\n${headers}\r\n${body}${hidden}`
      await expectRefusal(host, request, /^HTTP\/1\.1 400 (?!.*HTTP\/1\.1)/s)
    })
  })

  describe('an invalid request line', () => {
    it.each([
      'GET /under/a/prefix/things/a\tHTTP/1.1',
      'get /under/a/prefix/things/a HTTP/1.1',
      'GET /under/a/prefix/things/a HTTP/9.9',
      'GET /under/a/prefix/th ings/a HTTP/1.1',
      'PRI * HTTP/2.0',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    ])('gets a 400: %j', async (line) => {
      const host = await start()
      await expectRefusal(host, `${line}\r\nhost: a\r\n\r\n`, /^HTTP\/1\.1 400 /)
    })
  })

  describe('an oversized head', () => {
    it.each(Object.entries(oversized))('gets a 431, and other connections are served: %s', async (_, bytes) => {
      const host = await start()
      await expectRefusal(host, bytes(host), /^(HTTP\/1\.1 431 |$)/)
    })
  })

  describe('a chunked body without an end', () => {
    it.each(Object.entries(endless))('gets its connection closed, and other connections are served: %s', async (_, [
      begun,
      more,
    ]) => {
      const host = await start()
      const [attacker, other] = [await host.raw(), await host.raw()]
      // With a low limit, few chunks of one byte reach it.
      attacker.send(`POST ${host.prefix}/limited HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${begun}`)
      const { socket } = attacker
      let sent = 0
      const sendMore = () => {
        while (!socket.destroyed && sent < MOST_SENT_BYTES) {
          sent += more.length
          if (!socket.write(more)) return
        }
      }
      socket.on('drain', sendMore)
      sendMore()
      await attacker.rest()
      expect(sent).toBeLessThan(MOST_SENT_BYTES)
      other.send(`GET ${host.prefix}/things/b HTTP/1.1\r\nhost: a\r\n\r\n`)
      expect((await other.response()).text).toBe('{"id":"b"}')
    })
  })

  const undecodable = except['undecodable-path']
  describe.skipIf(undecodable)(`a path that cannot be decoded${undecodable ? ` (${undecodable})` : ''}`, () => {
    it.each(['%', '%zz', '%ff', 'a%E2%82'])('reaches the handler as it was sent: %s', async (id) => {
      const host = await start()
      const { status, text } = await host.request('GET', `/things/${id}`)
      expect([status, JSON.parse(text)]).toEqual([200, { id }])
    })
  })

  describe('a body in chunks of one byte', () => {
    it('reaches the handler as a whole', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`POST ${host.prefix}/large HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`)
      connection.send(`1\r\n"\r\n${'1\r\nx\r\n'.repeat(50_000)}1\r\n"\r\n0\r\n\r\n`)
      expect(JSON.parse((await connection.response()).text)).toEqual({ length: 50_002 })
    })
  })

  describe('a half-closed connection', () => {
    it.each([
      '/hang',
      '/events/silent',
      '/events/relay-silent',
    ])('aborts the request that it waits for (%s)', async (path) => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
      await host.probe.seen(path === '/hang' ? 'hanging' : 'source silent')
      connection.socket.end()
      await host.probe.seen(path === '/hang' ? 'hang aborted' : 'source closed')
      await connection.rest()
    })
  })
}
