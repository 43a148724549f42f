import { gzipSync } from 'node:zlib'
import { Agent } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { movingName } from '../../../gateway-core/tests/moving-name.ts'
import { rawServer, upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { errorOf } from '../../tests/searches.ts'
import { createEngineCall } from './engine-call.ts'

const never = new AbortController().signal

const PAGE = '<a href="https://example.com">Grüße</a>'
const ANSWER = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(PAGE)}\r\n\r\n${PAGE}`)

const urlOf = (origin: string) => new URL('/html/', origin)

describe('createEngineCall', () => {
  it.each(['a reset', 'an end'])('fails when %s cuts off the answer at any byte', async (how) => {
    let length = 0
    const { origin } = await rawServer((socket) => {
      const cut = () => (how === 'a reset' ? socket.resetAndDestroy() : socket.end())
      if (length === 0) cut()
      else socket.write(ANSWER.subarray(0, length), cut)
    })
    const ask = createEngineCall({})
    for (; length < ANSWER.length; length += 1) {
      expect(await errorOf(ask({ url: urlOf(origin) }, never))).toMatchObject({ type: 'unavailable' })
    }
    if (how === 'an end') expect(await ask({ url: urlOf(origin) }, never)).toMatchObject({ status: 200, text: PAGE })
  })

  it.each([301, 302, 303, 307, 308])('follows no redirect with status %i', async (status) => {
    const internal = await upstreamServer((_, response) => response.end(PAGE))
    const { origin } = await upstreamServer((_, response) =>
      response.writeHead(status, { location: `${internal.origin}/html/` }).end(),
    )
    expect(await createEngineCall({})({ url: urlOf(origin), form: { q: 'x' } }, never)).toMatchObject({ status })
    expect(internal.seen).toEqual([])
  })

  it('requests no compression, and refuses a compressed answer', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 26, 'x'))
    const { origin, seen } = await upstreamServer((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    expect(await errorOf(createEngineCall({})({ url: urlOf(origin) }, never))).toMatchObject({ type: 'unavailable' })
    expect(seen[0]?.headers['accept-encoding']).toBe('identity')
  })

  it.each([
    ['an answer', 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(2 ** 16)],
    ['a header', 'HTTP/1.1 200 OK\r\nx-endless: ', 'x'.repeat(2 ** 16)],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'x-endless: 1\r\n'.repeat(2 ** 12)],
  ])('closes the connection when the upstream sends %s without an end', async (_, begun, more) => {
    const { origin, drained } = await rawServer((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(more));
      }
      socket.write(begun)
      socket.on('drain', pour)
      pour()
    })
    const ask = createEngineCall({ maxAnswerBytes: 2 ** 20 })
    expect(await errorOf(ask({ url: urlOf(origin) }, never))).toMatchObject({ type: 'unavailable' })
    await drained()
  })

  it('resolves the name of the engine for each request, and hides its address', async () => {
    const { origin } = await upstreamServer((_, response) => response.end(PAGE))
    const name = movingName()
    const dispatcher = new Agent({ pipelining: 0, connect: { lookup: name.lookup } })
    onTestFinished(() => dispatcher.destroy())
    const ask = createEngineCall({ dispatcher })
    const url = urlOf(origin.replace('127.0.0.1', 'engine.internal'))
    const error = await errorOf(ask({ url }, never))
    expect(error).toMatchObject({ type: 'unavailable' })
    expect(error.message).not.toMatch(/internal|127\.0\.0\.1/)
    name.move('127.0.0.1')
    expect(await ask({ url }, never)).toMatchObject({ status: 200, text: PAGE })
    name.move()
    expect(await errorOf(ask({ url }, never))).toMatchObject({ type: 'unavailable' })
  })
})
