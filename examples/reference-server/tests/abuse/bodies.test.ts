import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { eventually, gaugesOf } from './process-gauges.ts'
import { rawClient, sendRepeatedly } from './raw-clients.ts'

describe.each(['fastify', 'express', 'fetch'] as const)('the server over %s', (transport) => {
  let server: ServerProcess

  beforeAll(async () => {
    const environment = { NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=8' }
    server = await startServer({ transport, environment })
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  const begin = () =>
    rawClient(
      server,
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${server.admin}\r\ntransfer-encoding: chunked\r\n\r\n`,
    )

  it('reads a body of a million chunks in bounded memory, and answers other requests meanwhile', async () => {
    const { residentMegabytes } = gaugesOf(server)
    await server.ask('/v1/models')
    const before = residentMegabytes()
    const client = await begin()
    const sending = sendRepeatedly(client, Buffer.from('1\r\n \r\n'.repeat(10_000)), 6_000_000)
    expect((await server.ask('/v1/models')).status).toBe(200)
    await sending
    client.socket.write('1\r\n{\r\n')
    await eventually(() => client.socket.writableLength === 0)
    expect((await server.ask('/v1/models')).status).toBe(200)
    expect(residentMegabytes() - before).toBeLessThan(128)
    client.socket.write('0\r\n\r\n')
    await eventually(() => client.received().startsWith('HTTP/1.1 400 '))
    client.socket.destroy()
  })

  it('closes a connection whose body never ends', async () => {
    const client = await begin()
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 0x20), Buffer.from('\r\n')])
    expect(await sendRepeatedly(client, chunk, 2 ** 30)).toBeLessThan(2 ** 28)
    await client.closed
    expect((await server.ask('/v1/models')).status).toBe(200)
  })
})
