import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { eventually, gaugesOf, type ProcessGauges } from './process-gauges.ts'
import { pour, rawClient, rawClients } from './raw-clients.ts'

/** Small enough that what grows with the attack would end the process. */
const heap = { NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=8' }
const limits = { TRIVIUM_HEAD_SECONDS: '6', TRIVIUM_REQUEST_SECONDS: '8', TRIVIUM_IDLE_SECONDS: '2' }

describe.each(['fastify', 'express', 'fetch'] as const)('the server over %s', (transport) => {
  let server: ServerProcess
  let gauges: ProcessGauges
  let descriptors: number

  const isWell = async () => (await server.ask('/v1/models')).status === 200
  const post = (headers: string, begun = '') =>
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${server.admin}\r\n${headers}\r\n${begun}`

  beforeAll(async () => {
    server = await startServer({ transport, environment: { ...heap, ...limits } })
    gauges = gaugesOf(server)
    await isWell()
    descriptors = gauges.openDescriptors()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  /** The descriptors come back to what they were, give or take the connections of this test's own client. */
  const isFreed = () => eventually(() => gauges.openDescriptors() <= descriptors + 4)

  it('answers others while 600 clients send slowly, and gets rid of them', async () => {
    const begun = [
      'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ',
      post('content-length: 1000\r\n', '{'),
      post('transfer-encoding: chunked\r\n', '1\r\n{\r\n'),
    ]
    const slow = (await Promise.all(begun.map((bytes) => rawClients(server, 200, bytes)))).flat()
    expect(await isWell()).toBe(true)
    await Promise.all(slow.map(({ closed }) => closed))
    expect(await isWell()).toBe(true)
    await isFreed()
  })

  it('answers others beside 2,000 idle connections, which cost little and are closed', async () => {
    const before = gauges.residentMegabytes()
    const idle = await rawClients(server, 2000)
    await eventually(() => gauges.openDescriptors() > descriptors + 1900)
    expect(await isWell()).toBe(true)
    expect(gauges.residentMegabytes() - before).toBeLessThan(64)
    await Promise.all(idle.map(({ closed }) => closed))
    await isFreed()
  })

  it('ends a body without end', async () => {
    const client = await rawClient(server, post('transfer-encoding: chunked\r\n'))
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 0x20), Buffer.from('\r\n')])
    await pour(client, chunk, 2 ** 30)
    await client.closed
    expect(await isWell()).toBe(true)
    await isFreed()
  })

  it('has an answer of its own for what its framework refuses, without a trace of itself', async () => {
    for (const path of ['/nothing/here', '/v1/projects/%zz', `/v1/projects/${'a'.repeat(5000)}`, '/v1/%']) {
      const { status, headers, body } = await getAsWritten(path)
      expect([path, status >= 400 && status < 500]).toEqual([path, true])
      expect(headers).toContain('application/json')
      expect(body).toMatch(/\{("error":\{)?"message":"/)
      expect(body).not.toMatch(/node_modules|Error:|FST_/)
    }
  })

  it('refuses a request with a foreign name behind its own', async () => {
    const client = await rawClient(server, 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: evil.example\r\n\r\n')
    await eventually(() => client.received().includes('\r\n\r\n'))
    expect(client.received()).toMatch(/^HTTP\/1\.1 403 /)
    client.socket.destroy()
  })

  async function getAsWritten(path: string) {
    const client = await rawClient(
      server,
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${server.admin}\r\nconnection: close\r\n\r\n`,
    )
    await client.closed
    const [headers = '', body = ''] = client.received().split('\r\n\r\n')
    return { status: Number(headers.split(' ')[1]), headers, body }
  }
})
