import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { rawClients } from './raw-clients.ts'
import { selfSigned } from './self-signed.ts'

describe.each(['fastify', 'express', 'fetch'] as const)('the server over TLS and %s', (transport) => {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-tls-'))
  let server: ServerProcess

  beforeAll(async () => {
    const args = await selfSigned(directory)
    server = await startServer({ transport, args, environment: { TRIVIUM_HEAD_SECONDS: '2' } })
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    rmSync(directory, { recursive: true, force: true })
  })

  const isHealthy = () =>
    new Promise<boolean>((resolve, reject) => {
      request(`${server.url}/health`, { rejectUnauthorized: false, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode === 200)
      })
        .on('error', reject)
        .end()
    })

  it.each([
    ['send nothing', ''],
    ['begin a handshake and stop', '\x16\x03\x01'],
    ['send HTTP', 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'],
  ])('closes the connections of clients that %s, and answers others meanwhile', async (_, bytes) => {
    const silent = await rawClients(server, 100, bytes)
    expect(await isHealthy()).toBe(true)
    await Promise.all(silent.map(({ closed }) => closed))
    expect(await isHealthy()).toBe(true)
  })
})
