import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { eventually, gaugesOf, type ProcessGauges } from './process-gauges.ts'
import { rawClient, rawClients, sendRepeatedly } from './raw-clients.ts'

/** A heap so small that memory which grows with the attack ends the process. */
const heap = { NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=8' }
const limits = { TRIVIUM_HEAD_SECONDS: '6', TRIVIUM_REQUEST_SECONDS: '8', TRIVIUM_IDLE_SECONDS: '2' }

type Transport = 'fastify' | 'express' | 'fetch'

const transports: readonly Transport[] = ['fastify', 'express', 'fetch']

interface TestedServer {
  readonly server: ServerProcess
  readonly gauges: ProcessGauges
  isHealthy(): Promise<boolean>
  /** Resolves once the number of descriptors is as before, within the 4 connections of this test's own client. */
  untilFreed(): Promise<void>
  /** The number of descriptors in addition to those at the start. */
  newDescriptors(): number
}

async function startTestedServer(transport: Transport): Promise<TestedServer> {
  const server = await startServer({ transport, environment: { ...heap, ...limits } })
  const gauges = gaugesOf(server)
  const isHealthy = async () => (await server.ask('/v1/models')).status === 200
  await isHealthy()
  const before = gauges.openDescriptors()
  const newDescriptors = () => gauges.openDescriptors() - before
  return { server, gauges, isHealthy, newDescriptors, untilFreed: () => eventually(() => newDescriptors() <= 4) }
}

const post = (server: ServerProcess, headers: string, begun = '') =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${server.admin}\r\n${headers}\r\n${begun}`

const started = new Map<Transport, TestedServer>()

function testedServerOver(transport: Transport): TestedServer {
  const testedServer = started.get(transport)
  if (!testedServer) throw new Error(`no server over ${transport}`)
  return testedServer
}

beforeAll(async () => {
  await Promise.all(transports.map(async (transport) => started.set(transport, await startTestedServer(transport))))
}, 60_000)
afterAll(async () => {
  await Promise.all([...started.values()].map(({ server }) => server[Symbol.asyncDispose]()))
})

// Concurrent, since most of the time passes in waiting for the limits.
it.concurrent.each(
  transports,
)('the server over %s answers other clients while 600 clients send slowly, and closes the connections of these', async (transport) => {
  const { server, isHealthy, untilFreed } = testedServerOver(transport)
  const begun = [
    'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ',
    post(server, 'content-length: 1000\r\n', '{'),
    post(server, 'transfer-encoding: chunked\r\n', '1\r\n{\r\n'),
  ]
  const slow = (await Promise.all(begun.map((bytes) => rawClients(server, 200, bytes)))).flat()
  expect(await isHealthy()).toBe(true)
  await Promise.all(slow.map(({ closed }) => closed))
  expect(await isHealthy()).toBe(true)
  await untilFreed()
})

describe.each(transports)('the server over %s', (transport) => {
  it('answers other clients while 2,000 connections are idle, in little memory, and closes the idle ones', async () => {
    const { server, gauges, newDescriptors, isHealthy, untilFreed } = testedServerOver(transport)
    const before = gauges.residentMegabytes()
    const idle = await rawClients(server, 2000)
    await eventually(() => newDescriptors() > 1900)
    expect(await isHealthy()).toBe(true)
    expect(gauges.residentMegabytes() - before).toBeLessThan(64)
    await Promise.all(idle.map(({ closed }) => closed))
    await untilFreed()
  })

  it('closes a connection whose body never ends', async () => {
    const { server, isHealthy, untilFreed } = testedServerOver(transport)
    const client = await rawClient(server, post(server, 'transfer-encoding: chunked\r\n'))
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 0x20), Buffer.from('\r\n')])
    await sendRepeatedly(client, chunk, 2 ** 30)
    await client.closed
    expect(await isHealthy()).toBe(true)
    await untilFreed()
  })

  it('answers paths that its framework refuses in JSON, without a trace of the framework', async () => {
    for (const path of ['/nothing/here', '/v1/projects/%zz', `/v1/projects/${'a'.repeat(5000)}`, '/v1/%']) {
      const { status, headers, body } = await getRaw(path)
      expect([path, status >= 400 && status < 500]).toEqual([path, true])
      expect(headers).toContain('application/json')
      expect(body).toMatch(/\{("error":\{)?"message":"/)
      expect(body).not.toMatch(/node_modules|Error:|FST_/)
    }
  })

  it('refuses a request with a second Host header that is foreign', async () => {
    const { server } = testedServerOver(transport)
    const client = await rawClient(server, 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: evil.example\r\n\r\n')
    await eventually(() => client.received().includes('\r\n\r\n'))
    expect(client.received()).toMatch(/^HTTP\/1\.1 403 /)
    client.socket.destroy()
  })

  async function getRaw(path: string) {
    const { server } = testedServerOver(transport)
    const client = await rawClient(
      server,
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${server.admin}\r\nconnection: close\r\n\r\n`,
    )
    await client.closed
    const [headers = '', body = ''] = client.received().split('\r\n\r\n')
    return { status: Number(headers.split(' ')[1]), headers, body }
  }
})
