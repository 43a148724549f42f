import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openRaw, type RawConnection } from '../conformance/raw-connection.ts'
import { type ConnectionLimits, limitConnections } from './index.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

type Handle = (request: IncomingMessage, response: ServerResponse) => void

async function listen(limits: ConnectionLimits, handle: Handle = (_, response) => response.end('answer')) {
  const server = createServer({ connectionsCheckingInterval: 10 }, handle)
  servers.push(server)
  const { connections } = limitConnections(server, limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  return { server, connections, connect: () => openRaw(port) }
}

const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

async function expectAnswer(connection: RawConnection): Promise<void> {
  connection.send(GET)
  expect((await connection.response()).text).toBe('answer')
}

describe('limitConnections', () => {
  it('accepts no more connections than half of the descriptors', async () => {
    const { connections, connect } = await listen({ descriptors: 5 })
    expect(connections).toBe(2)
    const taken = [await connect(), await connect()]
    expect(await (await connect()).rest()).toBe('')
    for (const connection of taken) await expectAnswer(connection)
  })

  it.each([
    [{ connections: 10, descriptors: 1024 }, 10],
    [{ descriptors: 1024 }, 512],
    [{ descriptors: 524_288 }, 10_000],
    [{ descriptors: 1 }, 1],
  ])('returns for the limits %j the number of connections %d', async (limits, expected) => {
    expect((await listen(limits)).connections).toBe(expected)
  })

  it.each([
    '',
    'GET / HTTP/1.1\r\nhost: a\r\nx-slow: ',
  ])('cuts off a client that does not complete the head of its request (%j)', async (begun) => {
    const { connect } = await listen({ headSeconds: 0.05 })
    const slow = await connect()
    const quick = await connect()
    slow.send(begun)
    await expectAnswer(quick)
    expect(await slow.rest()).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('cuts off a client that does not complete the body of its request', async () => {
    const { connect } = await listen({ requestSeconds: 0.1 }, (request, response) => {
      request.resume()
      request.on('end', () => response.end('whole'))
    })
    const slow = await connect()
    slow.send('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc')
    expect(await slow.rest()).not.toContain('whole')
  })

  it('closes an idle connection', async () => {
    const { connect } = await listen({ idleSeconds: 0.05 })
    const idle = await connect()
    await expectAnswer(idle)
    expect(await idle.rest()).toBe('')
  })

  it('cuts off a client that does not read its answer', async () => {
    const answer = Buffer.alloc(64 * 2 ** 20)
    const { server, connect } = await listen({ stalledSeconds: 0.1 }, (_, response) => {
      response.end(answer)
    })
    const stalled = await connect()
    stalled.send(GET)
    const [, response] = await once(server, 'request')
    stalled.socket.pause()
    await once(response, 'close')
    stalled.socket.resume()
    expect((await stalled.rest()).length).toBeLessThan(answer.length)
  })

  it('waits for an answer that is not complete yet', async () => {
    const { server, connect } = await listen({ stalledSeconds: 0.02 }, (_, response) => {
      server.once('timeout', () => response.end('answer'))
    })
    await expectAnswer(await connect())
  })

  it('answers the requests of a connection one at a time, in their order', async () => {
    let running = 0
    let most = 0
    const { connect } = await listen({}, ({ url }, response) => {
      running += 1
      most = Math.max(most, running)
      response.once('finish', () => {
        running -= 1
      })
      setImmediate(() => response.end(url))
    })
    const connection = await connect()
    for (let index = 0; index < 50; index += 1) connection.send(`GET /${index} HTTP/1.1\r\nhost: a\r\n\r\n`)
    for (let index = 0; index < 50; index += 1) expect((await connection.response()).text).toBe(`/${index}`)
    expect(most).toBe(1)
  })

  it('drops the queued requests of a client that has disconnected', async () => {
    const begun: unknown[] = []
    const { connect } = await listen({}, ({ url }, response) => {
      begun.push(url)
      response.once('close', () => begun.push('closed'))
    })
    const [leaving, other] = [await connect(), await connect()]
    leaving.send('GET /first HTTP/1.1\r\nhost: a\r\n\r\nGET /second HTTP/1.1\r\nhost: a\r\n\r\n')
    while (begun.length === 0) await new Promise(setImmediate)
    leaving.close()
    while (begun.length === 1) await new Promise(setImmediate)
    other.send('GET /other HTTP/1.1\r\nhost: a\r\n\r\n')
    while (begun.length === 2) await new Promise(setImmediate)
    expect(begun).toEqual(['/first', 'closed', '/other'])
  })

  it('cuts off a connection with too many pipelined requests', async () => {
    let asked = 0
    const { connect } = await listen({ pipelined: 10 }, ({ url }, response) => {
      if (url !== '/hang') response.end('answer')
      else asked += 1
    })
    const greedy = await connect()
    greedy.send('GET /hang HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(5000))
    await greedy.rest()
    expect(asked).toBe(1)
    await expectAnswer(await connect())
  })

  it('accepts many requests in succession', async () => {
    const { connect } = await listen({ pipelined: 2 })
    const connection = await connect()
    for (let index = 0; index < 50; index += 1) await expectAnswer(connection)
  })

  it('closes connections beyond the limit, and accepts others once one is closed', async () => {
    const { server, connect } = await listen({ connections: 2 })
    const [first, second] = [await connect(), await connect()]
    await expectAnswer(first)
    await expectAnswer(second)
    const third = await connect()
    expect(await third.rest()).toBe('')
    const closed = new Promise<void>((resolve) => {
      server.once('request', ({ socket }: IncomingMessage) => socket.once('close', () => resolve()))
    })
    await expectAnswer(first)
    first.close()
    await closed
    await expectAnswer(await connect())
  })
})
