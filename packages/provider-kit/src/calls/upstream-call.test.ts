import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Pool } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { movingName } from '../../../gateway-core/tests/moving-name.ts'
import { failureOf, latch } from '../../../gateway-core/tests/provider-calls.ts'
import { rawServer, unusedOrigin, upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { received } from '../../tests/received.ts'
import { callUpstream } from './upstream-call.ts'

const never = new AbortController().signal

function caller(origin: string, options?: Pool.Options) {
  const pool = new Pool(origin, options)
  onTestFinished(() => pool.destroy())
  return (signal = never, { connectTimeoutMs = 5000, maxAnswerBytes = 2 ** 30 } = {}) =>
    callUpstream(pool, { path: '/', method: 'POST', body: '{}' }, { signal, connectTimeoutMs, maxAnswerBytes })
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n'
const reset = (socket: Socket) => socket.resetAndDestroy()

describe('a connection of callUpstream', () => {
  it('rejects as interrupted before the first byte when the connection breaks before the head', async () => {
    const call = caller((await rawServer(reset)).origin)
    expect(await failureOf(call())).toMatchObject({ type: 'interrupted', beforeFirstByte: true, retryable: true })
  })

  it('rejects as interrupted when the connection breaks inside the head', async () => {
    const call = caller((await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'))).origin)
    expect(await failureOf(call())).toMatchObject({ type: 'interrupted', beforeFirstByte: true })
  })

  it('fails the body before its first byte when the connection breaks after the head', async () => {
    const { origin } = await rawServer((socket) => {
      socket.write(`${HEAD}content-length: 10\r\n\r\n`, () => reset(socket))
    })
    const body = received()
    ;(await caller(origin)()).start(body.receiver)
    expect(await body.ended).toMatchObject({ type: 'interrupted', beforeFirstByte: true })
  })

  it.each([
    ['a reset', 'content-length: 10\r\n\r\nabc', reset],
    ['a body shorter than its length', 'content-length: 10\r\n\r\nabc', (socket: Socket) => socket.end()],
    ['chunks without the last one', 'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n', (socket: Socket) => socket.end()],
  ])('fails a started body when it is cut off by %s', async (_, text, cut) => {
    let connection: Socket | undefined
    const { origin } = await rawServer((socket) => {
      connection = socket
      socket.write(HEAD + text)
    })
    const body = received()
    ;(await caller(origin)()).start(body.receiver)
    await body.begun
    if (connection) cut(connection)
    expect(await body.ended).toMatchObject({ type: 'interrupted', beforeFirstByte: false, retryable: true })
    expect(body.bytes().toString()).toBe('abc')
  })

  it('fails the body for a reader that starts after the connection broke', async () => {
    const { origin } = await rawServer((socket) => {
      socket.end(`${HEAD}content-length: 10\r\n\r\nabc`)
    })
    const answer = await caller(origin)()
    await answer.peek()
    await new Promise((resolve) => setImmediate(resolve))
    const body = received()
    answer.start(body.receiver)
    expect(await body.ended).toMatchObject({ type: 'interrupted' })
  })

  it('rejects as unreachable when the upstream does not listen', async () => {
    expect(await failureOf(caller(await unusedOrigin())())).toMatchObject({ type: 'unreachable', retryable: true })
  })

  it('resolves the name of the upstream at the time of the call', async () => {
    const { origin } = await upstreamServer((_, response) => response.end('{}'))
    const name = movingName()
    const call = caller(origin.replace('127.0.0.1', 'upstream.internal'), {
      pipelining: 0,
      connect: { lookup: name.lookup },
    })
    expect(await failureOf(call())).toMatchObject({ type: 'unreachable', retryable: true })
    name.move('127.0.0.1')
    expect((await call()).status).toBe(200)
    name.move()
    expect(await failureOf(call())).toMatchObject({ type: 'unreachable' })
  })

  it('names no address when the upstream is unreachable', async () => {
    const origin = await unusedOrigin()
    expect((await failureOf(caller(origin)())).message).not.toContain(new URL(origin).port)
  })

  it('rejects as malformed when the answer is not HTTP', async () => {
    const call = caller((await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))).origin)
    expect(await failureOf(call())).toMatchObject({ type: 'malformed', beforeFirstByte: true })
  })
})

describe('callUpstream without a connection', () => {
  const neverConnects = { connect: () => {} }

  it('rejects when connecting takes too long', async () => {
    const call = caller('http://127.0.0.1:1', neverConnects)
    expect(await failureOf(call(never, { connectTimeoutMs: 5 }))).toMatchObject({ type: 'timed-out', phase: 'connect' })
  })

  it('stops connecting when the signal aborts', async () => {
    const controller = new AbortController()
    const call = failureOf(caller('http://127.0.0.1:1', neverConnects)(controller.signal))
    controller.abort()
    expect(await call).toMatchObject({ type: 'cancelled', retryable: false })
  })
})

describe('callUpstream with a signal', () => {
  it('sends no request when the signal is aborted before the call', async () => {
    const server = await upstreamServer((_, response) => response.end())
    expect(await failureOf(caller(server.origin)(AbortSignal.abort()))).toMatchObject({ type: 'cancelled' })
    expect(server.seen).toEqual([])
  })

  it('closes the connection when the signal aborts before the head', async () => {
    const closed = latch<void>()
    const controller = new AbortController()
    const { origin } = await upstreamServer((_, response) => {
      response.on('close', closed.resolve)
      controller.abort()
    })
    expect(await failureOf(caller(origin)(controller.signal))).toMatchObject({ type: 'cancelled' })
    await closed.promise
  })

  it.each(['signal', 'cancel'] as const)('closes the connection when a %s ends the body', async (how) => {
    const closed = latch<void>()
    const controller = new AbortController()
    const { origin } = await upstreamServer((_, response) => {
      response.on('close', closed.resolve)
      response.write('data: 1\n\n')
    })
    const body = received()
    const source = (await caller(origin)(controller.signal)).start(body.receiver)
    await body.begun
    if (how === 'signal') {
      controller.abort()
      expect(await body.ended).toMatchObject({ type: 'cancelled', beforeFirstByte: false })
    } else {
      source.cancel()
      source.cancel()
      source.resume()
    }
    await closed.promise
    expect(body.calledTooLate()).toBe(false)
  })

  it('calls the receiver no longer after a cancel', async () => {
    const { origin } = await upstreamServer((_, response) => response.write('data: 1\n\n'))
    const body = received()
    const controller = new AbortController()
    const source = (await caller(origin)(controller.signal)).start(body.receiver)
    await body.begun
    source.cancel()
    controller.abort()
    expect(await Promise.race([body.ended, new Promise((resolve) => setImmediate(resolve, 'silence'))])).toBe('silence')
  })

  it('ignores an abort after the end of the answer', async () => {
    const controller = new AbortController()
    const { origin } = await upstreamServer((_, response) => response.end('done'))
    const body = received()
    ;(await caller(origin)(controller.signal)).start(body.receiver)
    expect(await body.ended).toBe('complete')
    controller.abort()
    expect(body.calledTooLate()).toBe(false)
  })
})

describe('back-pressure of callUpstream', () => {
  const SIZE = 48 * 2 ** 20

  it('pauses the upstream until the reader takes more, and loses no bytes', async () => {
    const bytes = Buffer.alloc(SIZE, 'abcdefghij')
    let socket: Socket | null = null
    const { origin } = await upstreamServer((_, response) => {
      socket = response.socket
      response.writeHead(200, { 'content-length': SIZE })
      response.end(bytes)
    })
    let accepts = false
    const body = received(() => accepts)
    const source = (await caller(origin)()).start(body.receiver)
    await body.begun
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(body.chunks).toHaveLength(1)
    expect(socket).not.toBeNull()
    source.resume()
    expect(body.chunks.length).toBeLessThan(4)
    accepts = true
    source.resume()
    expect(await body.ended).toBe('complete')
    expect(body.bytes().equals(bytes)).toBe(true)
  })

  it('buffers little of a body that is not read', async () => {
    const written = latch<number>()
    const { origin } = await rawServer((socket) => {
      socket.write(`${HEAD}content-length: ${SIZE}\r\n\r\n`)
      socket.write(Buffer.alloc(SIZE))
      setTimeout(() => written.resolve(socket.bytesWritten - socket.writableLength), 100)
    })
    const answer = await caller(origin)()
    expect(await written.promise).toBeLessThan(SIZE / 2)
    const body = received()
    answer.start(body.receiver)
    expect(await body.ended).toBe('complete')
    expect(body.bytes()).toHaveLength(SIZE)
  })
})

describe('an answer of callUpstream', () => {
  it.each([200, 429])('keeps the status %i of a compressed answer, and drops its body', async (status) => {
    const closed = latch<void>()
    const { origin } = await upstreamServer((_, response) => {
      response.on('close', closed.resolve)
      response.writeHead(status, { 'content-encoding': 'gzip' })
      response.write('...')
    })
    const answer = await caller(origin)()
    expect(answer.status).toBe(status)
    const body = received()
    answer.start(body.receiver)
    expect(await body.ended).toMatchObject({ type: 'malformed', beforeFirstByte: true })
    expect(body.chunks).toEqual([])
    await closed.promise
  })

  it('cuts off an answer that is larger than allowed', async () => {
    const closed = latch<void>()
    const { origin } = await upstreamServer((_, response) => {
      response.on('close', closed.resolve)
      const more = () => response.write(Buffer.alloc(65_536)) && setImmediate(more)
      response.on('drain', more)
      more()
    })
    const body = received()
    ;(await caller(origin)(never, { maxAnswerBytes: 1_000_000 })).start(body.receiver)
    expect(await body.ended).toMatchObject({ type: 'malformed', beforeFirstByte: false })
    expect(body.bytes().length).toBeLessThanOrEqual(1_000_000)
    await closed.promise
  })

  it('skips interim answers', async () => {
    const { origin } = await rawServer((socket) => {
      socket.end('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok')
    })
    const body = received()
    const answer = await caller(origin)()
    answer.start(body.receiver)
    expect(answer.status).toBe(201)
    expect(await body.ended).toBe('complete')
    expect(body.bytes().toString()).toBe('ok')
  })

  it('drops headers about the connection', async () => {
    const { origin } = await upstreamServer((_, response) => {
      response.writeHead(200, {
        'x-request-id': 'u1',
        'set-cookie': 'a=b',
        connection: 'keep-alive',
        'x-many': ['a', 'b'],
        'content-length': '0',
      })
      response.end()
    })
    const { headers } = await caller(origin)()
    expect(headers).toMatchObject({ 'x-request-id': 'u1', 'x-many': 'a, b' })
    for (const name of ['connection', 'set-cookie', 'content-length']) expect(headers).not.toHaveProperty(name)
  })

  it('keeps the connection of a complete answer for the next call', async () => {
    const server = await upstreamServer((_, response) => response.end('x'))
    const call = caller(server.origin)
    for (let round = 0; round < 5; round++) {
      const body = received()
      ;(await call()).start(body.receiver)
      await body.ended
    }
    expect(server.seen).toHaveLength(5)
    expect(await server.connections()).toBeLessThanOrEqual(2)
  })

  it('peeks at the first bytes of an answer without consuming them', async () => {
    const { origin } = await upstreamServer(async (_, response) => {
      response.flushHeaders()
      await once(response.socket ?? response, 'drain').catch(() => {})
    })
    const controller = new AbortController()
    const answer = await caller(origin)(controller.signal)
    const peeked = answer.peek()
    controller.abort()
    expect(await peeked).toHaveLength(0)
    const body = received()
    answer.start(body.receiver)
    expect(await body.ended).toMatchObject({ type: 'cancelled', beforeFirstByte: true })
  })
})
