import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { chunk, startUpstream, type Upstream } from '../upstream.ts'
import { eventually, gaugesOf } from './process-gauges.ts'
import { rawClients } from './raw-clients.ts'

const READERS = 20
/** The most bytes that the sockets of two connections on loopback hold, and a little for the server. */
const MAX_IN_TRANSIT_BYTES = 24 * 2 ** 20

// Servers run concurrently, since most of the time passes in waiting for limits. The tests of one server run one by one.
describe.concurrent.each(['fastify', 'express', 'fetch'] as const)('the server over %s', (transport) => {
  let upstream: Upstream
  let server: ServerProcess
  let produced = 0
  let opened = 0
  const streams = new Set<ServerResponse>()

  /** Writes events for as long as they are read. */
  const writeEvents = (response: ServerResponse) => {
    const event = chunk('x'.repeat(16_000))
    const more = () => {
      do produced += event.length
      while (response.write(event))
    }
    opened += 1
    streams.add(response)
    response.on('close', () => streams.delete(response))
    response.on('drain', more)
    more()
  }

  beforeAll(async () => {
    upstream = await startUpstream((request, response) => {
      if (!request.body.includes('"stream":true')) {
        const list = { object: 'list', data: [{ id: 'm-1', object: 'model', created: 1, owned_by: 'them' }] }
        response.setHeader('content-type', 'application/json').end(JSON.stringify(list))
      } else {
        response.setHeader('content-type', 'text/event-stream')
        writeEvents(response)
      }
    })
    server = await startServer({
      transport,
      environment: {
        OPENAI_BASE_URL: upstream.url,
        TRIVIUM_STALLED_SECONDS: '3',
        NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=8',
      },
    })
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await upstream?.close()
  })

  it('stops reading from the upstream for clients that do not read, answers others, and closes the connections of these clients', {
    concurrent: false,
  }, async () => {
    const { residentMegabytes } = gaugesOf(server)
    expect((await server.ask('/v1/models')).status).toBe(200)
    const before = residentMegabytes()
    const body = JSON.stringify({ model: 'openai/m-1', stream: true, messages: [{ role: 'user', content: 'x' }] })
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${server.admin}\r\n`
    const readers = await rawClients(server, READERS, `${head}content-length: ${body.length}\r\n\r\n${body}`, {
      neverReads: true,
    })
    // On a slow machine the first connection can be closed before the last one opens.
    await eventually(() => opened === READERS)
    await eventually(() => streams.size === 0)
    expect((await server.ask('/v1/models')).status).toBe(200)
    expect(produced).toBeLessThan(READERS * MAX_IN_TRANSIT_BYTES)
    expect(residentMegabytes() - before).toBeLessThan(96)
    for (const { socket } of readers) socket.destroy()
  })

  it('closes connections of clients that do not read a large answer', { concurrent: false }, async () => {
    const { openDescriptors, residentMegabytes } = gaugesOf(server)
    await server.ask('/openapi.json')
    const resident = residentMegabytes()
    const before = openDescriptors()
    const asks = 'GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(90)
    const readers = await rawClients(server, 50, asks, { neverReads: true })
    expect((await server.ask('/v1/models')).status).toBe(200)
    await eventually(() => openDescriptors() > before + 10)
    await eventually(() => openDescriptors() <= before + 4)
    expect(residentMegabytes() - resident).toBeLessThan(192)
    for (const { socket } of readers) socket.destroy()
  })
})
