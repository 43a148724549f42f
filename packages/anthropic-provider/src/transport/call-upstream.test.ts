import type { Socket } from 'node:net'
import { Pool } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { movingName } from '../../../gateway-core/tests/moving-name.ts'
import { failureOf, latch } from '../../../gateway-core/tests/provider-calls.ts'
import { deadOrigin, rawServer, upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { callUpstream } from './call-upstream.ts'
import type { UpstreamBody } from './upstream-body.ts'

const never = new AbortController().signal

function caller(origin: string, options?: Pool.Options) {
  const pool = new Pool(origin, options)
  onTestFinished(() => pool.destroy())
  return (signal = never, { connectTimeoutMs = 5000, maxAnswerBytes = 2 ** 30 } = {}) =>
    callUpstream(pool, { path: '/', method: 'POST', body: '{}' }, { signal, connectTimeoutMs, maxAnswerBytes })
}

async function read(body: UpstreamBody): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const HEAD = 'HTTP/1.1 200 OK\r\n'

describe('a connection that breaks', () => {
  it.each([
    ['before the head', '', 'interrupted'],
    ['inside the head', 'HTTP/1.1 200 OK\r\ncontent-', 'interrupted'],
    ['with no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'malformed'],
  ])('%s gives no answer', async (_, text, type) => {
    const call = caller((await rawServer((socket) => socket.end(text))).origin)
    expect(await failureOf(call())).toMatchObject({ type, beforeFirstByte: true, retryable: true })
  })

  it.each([
    ['before its first byte', 'content-length: 10\r\n\r\n', true, (socket: Socket) => socket.resetAndDestroy()],
    ['by a reset', 'content-length: 10\r\n\r\nabc', false, (socket: Socket) => socket.resetAndDestroy()],
    ['too early', 'content-length: 10\r\n\r\nabc', false, (socket: Socket) => socket.end()],
    [
      'without the last chunk',
      'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
      false,
      (socket: Socket) => socket.end(),
    ],
  ])('inside the body, %s, fails the body', async (_, text, beforeFirstByte, cut) => {
    const { origin } = await rawServer((socket) => socket.write(HEAD + text, () => setTimeout(cut, 5, socket)))
    const { body } = await caller(origin)()
    expect(await failureOf(read(body))).toMatchObject({ type: 'interrupted', beforeFirstByte })
  })

  it('never was: unreachable', async () => {
    expect(await failureOf(caller(await deadOrigin())())).toMatchObject({ type: 'unreachable', retryable: true })
  })

  it('is made to where the name leads when it is made', async () => {
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

  it('is never made: timed out', async () => {
    const call = caller('http://127.0.0.1:1', { connect: () => {} })
    expect(await failureOf(call(never, { connectTimeoutMs: 5 }))).toMatchObject({ type: 'timed-out', phase: 'connect' })
  })
})

describe('an abort', () => {
  it('before the call asks nobody', async () => {
    const server = await upstreamServer((_, response) => response.end())
    expect(await failureOf(caller(server.origin)(AbortSignal.abort()))).toMatchObject({ type: 'cancelled' })
    expect(server.seen).toEqual([])
  })

  it('while the head is awaited closes the connection', async () => {
    const closed = latch<void>()
    const controller = new AbortController()
    const { origin } = await upstreamServer((_, response) => {
      response.on('close', () => closed.resolve())
      controller.abort()
    })
    expect(await failureOf(caller(origin)(controller.signal))).toMatchObject({ type: 'cancelled' })
    await closed.promise
  })

  it.each([
    'signal',
    'cancel',
    'return',
  ] as const)('by %s while bytes are awaited closes the connection', async (how) => {
    const closed = latch<void>()
    const controller = new AbortController()
    const { origin } = await upstreamServer((_, response) => {
      response.on('close', () => closed.resolve())
      response.write('1')
    })
    const { body } = await caller(origin)(controller.signal)
    await body.next()
    const next = body.next()
    if (how === 'signal') controller.abort()
    if (how === 'cancel') body.cancel()
    if (how === 'return') await body.return?.()
    if (how === 'signal') expect(await failureOf(next)).toMatchObject({ type: 'cancelled', beforeFirstByte: false })
    else expect(await next).toEqual({ done: true, value: undefined })
    await closed.promise
  })
})

describe('a body', () => {
  const SIZE = 48 * 2 ** 20

  it('that nobody reads is not taken in, and is whole once it is read', async () => {
    const written = latch<number>()
    const { origin } = await rawServer((socket) => {
      socket.write(`${HEAD}content-length: ${SIZE}\r\n\r\n`)
      socket.write(Buffer.alloc(SIZE, 'abcdefg'))
      setTimeout(() => written.resolve(socket.bytesWritten - socket.writableLength), 100)
    })
    const { body } = await caller(origin)()
    expect(await written.promise).toBeLessThan(SIZE / 2)
    expect((await read(body)).equals(Buffer.alloc(SIZE, 'abcdefg'))).toBe(true)
  })

  it('that is larger than allowed is broken off', async () => {
    const { origin } = await upstreamServer((_, response) => response.end(Buffer.alloc(2_000_000)))
    const { body } = await caller(origin)(never, { maxAnswerBytes: 1_000_000 })
    expect(await failureOf(read(body))).toMatchObject({ type: 'malformed' })
  })
})
