import type { Socket } from 'node:net'
import { Pool } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failureOf, latch } from '../../../gateway-core/tests/provider-calls.ts'
import { rawServer, upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { callUpstream } from '../calls/upstream-call.ts'
import { type AnswerBytes, answerBytes } from './answer-bytes.ts'

const never = new AbortController().signal

async function bytesFrom(origin: string, { signal = never, maxAnswerBytes = 2 ** 30 } = {}): Promise<AnswerBytes> {
  const pool = new Pool(origin)
  onTestFinished(() => pool.destroy())
  const request = { path: '/', method: 'POST', body: '{}' } as const
  return answerBytes(await callUpstream(pool, request, { signal, connectTimeoutMs: 5000, maxAnswerBytes }))
}

async function read(bytes: AnswerBytes): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const HEAD = 'HTTP/1.1 200 OK\r\n'

describe('answerBytes', () => {
  it.each([
    ['before the first byte', 'content-length: 10\r\n\r\n', '', (socket: Socket) => socket.resetAndDestroy()],
    ['by a reset', 'content-length: 10\r\n\r\nabc', 'abc', (socket: Socket) => socket.resetAndDestroy()],
    ['too early', 'content-length: 10\r\n\r\nabc', 'abc', (socket: Socket) => socket.end()],
    [
      'without the last chunk',
      'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
      'abc',
      (socket: Socket) => socket.end(),
    ],
  ])('throws after all received bytes when the body ends %s', async (_, text, came, cut) => {
    const connection = latch<Socket>()
    const { origin } = await rawServer((socket) => {
      socket.write(HEAD + text, () => connection.resolve(socket))
    })
    const bytes = await bytesFrom(origin)
    if (came !== '') expect(Buffer.from((await bytes.next()).value ?? []).toString()).toBe(came)
    cut(await connection.promise)
    expect(await failureOf(bytes.next())).toMatchObject({ type: 'interrupted', beforeFirstByte: came === '' })
  })

  it.each(['signal', 'cancel', 'return'] as const)('closes the connection when the reader stops by %s', async (how) => {
    const closed = latch<void>()
    const controller = new AbortController()
    const { origin } = await upstreamServer((_, response) => {
      response.on('close', () => closed.resolve())
      response.write('1')
    })
    const bytes = await bytesFrom(origin, { signal: controller.signal })
    await bytes.next()
    const next = bytes.next()
    if (how === 'signal') controller.abort()
    if (how === 'cancel') bytes.cancel()
    if (how === 'return') await bytes.return?.()
    if (how === 'signal') expect(await failureOf(next)).toMatchObject({ type: 'cancelled', beforeFirstByte: false })
    else expect(await next).toEqual({ done: true, value: undefined })
    await closed.promise
  })

  it('closes the connection when the reader stops before the first byte', async () => {
    const closed = latch<void>()
    const { origin } = await upstreamServer((_, response) => {
      response.on('close', () => closed.resolve())
      response.write('1')
    })
    const bytes = await bytesFrom(origin)
    bytes.cancel()
    expect(await bytes.next()).toEqual({ done: true, value: undefined })
    await closed.promise
  })

  it('passes every byte to a slow reader', async () => {
    const sent = Buffer.alloc(8 * 2 ** 20, 'abcdefg')
    const { origin } = await upstreamServer((_, response) => response.end(sent))
    const chunks: Uint8Array[] = []
    for await (const chunk of await bytesFrom(origin)) {
      chunks.push(chunk)
      await new Promise(setImmediate)
    }
    expect(Buffer.concat(chunks).equals(sent)).toBe(true)
  })

  it('cuts off an answer with more bytes than allowed', async () => {
    const { origin } = await upstreamServer((_, response) => response.end(Buffer.alloc(2_000_000)))
    const bytes = await bytesFrom(origin, { maxAnswerBytes: 1_000_000 })
    expect(await failureOf(read(bytes))).toMatchObject({ type: 'malformed' })
  })
})
