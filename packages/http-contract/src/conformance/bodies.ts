import { describe, expect, it } from 'vitest'
import type { StartHost } from './host-under-test.ts'
import type { Transport } from './transport.ts'

const jsonType = { 'content-type': 'application/json' }

export function describeBodies(start: StartHost, except: Transport['except'] = {}): void {
  describe('request bodies', () => {
    const types = [
      'application/json',
      'application/hal+json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'nonsense',
      'application/json',
      'multipart/form-data; boundary=x',
      undefined,
    ]
    it.each(types)('parses JSON of the content type %s', async (type) => {
      const host = await start()
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
      const { text } = await host.request('POST', '/echo/a', { headers, body: '{"a":[1,"ü"]}' })
      expect(JSON.parse(text)).toMatchObject({ body: { a: [1, 'ü'] }, raw: '{"a":[1,"ü"]}' })
    })

    it.each([
      '{',
      '{"a":1}}',
      '[1,]',
      'nonsense',
      '"\\x"',
    ])('answers the malformed body %s with the failure of the API', async (body) => {
      const host = await start()
      const refused = await host.request('POST', '/echo/a', { headers: jsonType, body })
      expect([refused.status, refused.text, refused.headers['x-served-by']]).toEqual([
        400,
        '{"failure":"malformed"}',
        'probe',
      ])
    })

    it('refuses a body that is not UTF-8', async () => {
      const host = await start()
      const refused = await host.request('POST', '/echo/a', {
        headers: jsonType,
        body: new Uint8Array([0x22, 0xff, 0x22]),
      })
      expect(refused.status).toBe(400)
    })

    it.each([
      {},
      jsonType,
      { ...jsonType, 'content-length': '0' },
      { 'transfer-encoding': 'chunked' },
    ])('treats an empty body with the headers %o as no body', async (headers) => {
      const host = await start()
      const answer = await host.request('POST', '/echo/a', { headers })
      expect([answer.status, JSON.parse(answer.text).hasBody]).toEqual([200, false])
    })

    it('checks a missing body against the schema', async () => {
      const host = await start()
      const refused = await host.request('POST', '/strict', { headers: jsonType })
      expect([refused.status, JSON.parse(refused.text)]).toEqual([422, { failure: 'invalid', parts: ['body'] }])
    })

    it('drops `__proto__` keys', async () => {
      const host = await start()
      const body = '{"a":1,"__proto__":{"admin":true},"b":{"\\u005f_proto__":2,"c":3}}'
      const { text } = await host.request('POST', '/echo/a', { headers: jsonType, body })
      expect(JSON.stringify(JSON.parse(text).body)).toBe('{"a":1,"b":{"c":3}}')
    })

    it('accepts a DELETE that announces JSON and sends none', async () => {
      const host = await start()
      expect((await host.request('DELETE', '/things/a', { headers: jsonType })).status).toBe(204)
    })

    it('reads the body of a DELETE that takes one, and refuses other bodies that are not empty', async () => {
      const host = await start()
      const taken = await host.request('DELETE', '/bodies/a', { headers: jsonType, body: '{"n":1}' })
      expect(JSON.parse(taken.text)).toEqual({ body: { n: 1 } })
      const send = (body: string) => host.request('DELETE', '/things/a', { headers: jsonType, body })
      expect(JSON.parse((await send('{"n":1}')).text)).toEqual({ failure: 'invalid', parts: ['body'] })
      expect((await send('{}')).status).toBe(204)
    })

    it.each([
      ['GET', '/things/a', 200],
      ['DELETE', '/things/a', 204],
      ['POST', '/bodiless', 200],
    ])('treats white space and {} as no body for a %s that takes none', async (method, path, status) => {
      const host = await start()
      for (const body of ['', ' \n', '{}', ' { } '])
        expect((await host.request(method, path, { body })).status).toBe(status)
    })

    const getBodies = except['get-body']
    const methods = [
      ['GET', '/things/a'],
      ['HEAD', '/things/a'],
      ['DELETE', '/things/a'],
      ['POST', '/bodiless'],
    ].filter(([method]) => getBodies === undefined || !(method === 'GET' || method === 'HEAD'))
    it.each(methods)('refuses any other JSON for a %s that takes no body', async (method = '', path = '') => {
      const host = await start()
      for (const body of ['[]', 'null', '0', 'false', '""', '[{}]', '{"n":1}', `{"n":"${'x'.repeat(2000)}"}`]) {
        const { status, text } = await host.request(method, path, { body })
        expect([body, status, text]).toEqual([
          body,
          422,
          method === 'HEAD' ? '' : '{"failure":"invalid","parts":["body"]}',
        ])
      }
      expect((await host.request(method, path, { body: '{' })).status).toBe(400)
      expect((await host.request(method, path, { body: 'x'.repeat(2 ** 17) })).status).toBe(413)
    })

    it.skipIf(getBodies !== undefined)('refuses the chunked body of a GET', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/things/a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`)
      connection.send('2\r\n[]\r\n0\r\n\r\n')
      expect((await connection.response()).status).toBe(422)
    })

    it('keeps the connection usable after a GET with a body', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`GET ${host.prefix}/things/a HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n{   }`)
      expect((await connection.response()).text).toBe('{"id":"a"}')
      connection.send(`GET ${host.prefix}/things/b HTTP/1.1\r\nhost: a\r\n\r\n`)
      expect((await connection.response()).text).toBe('{"id":"b"}')
    })

    it('joins a chunked body of single bytes', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(`POST ${host.prefix}/echo/a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`)
      for (const byte of Buffer.from('{"a":"ü€"}')) {
        connection.send(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]))
      }
      connection.send('0\r\n\r\n')
      expect(JSON.parse((await connection.response()).text).body).toEqual({ a: 'ü€' })
    })

    it('accepts a body of 20 MiB where the operation allows it', async () => {
      const host = await start()
      const body = JSON.stringify('x'.repeat(20 * 2 ** 20))
      const { status, text } = await host.request('POST', '/large', { body })
      expect([status, JSON.parse(text)]).toEqual([200, { length: body.length }])
    })

    it('accepts a body that is exactly as long as the limit', async () => {
      const host = await start()
      const { text } = await host.request('POST', '/limited', { body: JSON.stringify('x'.repeat(998)) })
      expect(JSON.parse(text)).toEqual({ length: 1000 })
    })

    describe.each([1001, 5 * 2 ** 20])('of %i bytes with a limit of 1000', (size) => {
      const body = JSON.stringify('x'.repeat(size - 2))

      it('get a 413, and the connection stays usable', async () => {
        const host = await start()
        const connection = await host.raw()
        connection.send(`POST ${host.prefix}/limited HTTP/1.1\r\nhost: a\r\ncontent-length: ${size}\r\n\r\n`)
        const refused = await connection.response()
        expect([refused.status, refused.text]).toEqual([413, '{"failure":"too-large","limit":1000}'])
        connection.send(body)
        connection.send(`GET ${host.prefix}/things/b HTTP/1.1\r\nhost: a\r\n\r\n`)
        expect((await connection.response()).text).toBe('{"id":"b"}')
      })

      it('get a 413 when they arrive in chunks, and the connection stays usable', async () => {
        const host = await start()
        const connection = await host.raw()
        connection.send(`POST ${host.prefix}/limited HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`)
        connection.send(`${size.toString(16)}\r\n${body}\r\n`)
        const refused = await connection.response()
        expect([refused.status, refused.text]).toEqual([413, '{"failure":"too-large","limit":1000}'])
        connection.send('5\r\nhello\r\n0\r\n\r\n')
        connection.send(`GET ${host.prefix}/things/b HTTP/1.1\r\nhost: a\r\n\r\n`)
        expect((await connection.response()).text).toBe('{"id":"b"}')
      })
    })

    it('answers Expect: 100-continue, and then the request', async () => {
      const host = await start()
      const connection = await host.raw()
      connection.send(
        `POST ${host.prefix}/echo/a HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 7\r\n\r\n`,
      )
      expect((await connection.head()).status).toBe(100)
      connection.send('{"a":1}')
      expect(JSON.parse((await connection.response()).text).body).toEqual({ a: 1 })
    })

    it('reports no fault when the client disconnects while it sends', async () => {
      const host = await start()
      for (const framing of ['content-length: 100\r\n\r\n{"a":', 'transfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n']) {
        const connection = await host.raw()
        connection.send(`POST ${host.prefix}/strict HTTP/1.1\r\nhost: a\r\n${framing}`)
        connection.send('')
        connection.socket.end()
      }
      expect((await host.request('GET', '/things/a')).status).toBe(200)
      expect(await host.probe.entries()).toEqual([])
    })
  })
}
