import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { HttpTarget } from '../../benchmarks/load/http-target.ts'
import { runOpenLoop } from '../../benchmarks/load/open-loop.ts'

const servers: ReturnType<typeof createServer>[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function targetOf(listener: RequestListener, connections: number): Promise<HttpTarget> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const request = Buffer.from('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const requests = Array.from({ length: connections }, () => request)
  return { host: '127.0.0.1', port: address.port, requests, sign: 'answer' }
}

const HOLD_MS = 60

describe('a load at a constant rate', () => {
  it('sends all requests, and counts those after the first tenth', async () => {
    let received = 0
    const target = await targetOf((_, response) => {
      received += 1
      response.end('answer')
    }, 4)
    const { times, lateness } = await runOpenLoop(target, 1_000, 0.1)
    expect(received).toBe(100)
    expect(times).toHaveLength(90)
    expect(lateness.length).toBeLessThanOrEqual(90)
    expect(Math.min(...times)).toBeGreaterThan(0)
  })

  it('counts the time of each request from when it was due, where the server stops for a while', async () => {
    let isFirst = true
    const target = await targetOf((_, response) => {
      setTimeout(() => response.end('answer'), isFirst ? HOLD_MS : 0)
      isFirst = false
    }, 1)
    // All five requests are due within 4 ms, and one connection has to carry them.
    const { times, waitedShare } = await runOpenLoop(target, 1_000, 0.005)
    expect(times).toHaveLength(5)
    expect(Math.min(...times)).toBeGreaterThan(HOLD_MS - 10)
    expect(waitedShare).toBe(0.8)
  })

  it('rejects an answer that is not the expected one', async () => {
    const target = await targetOf((_, response) => response.writeHead(503).end('answer'), 2)
    await expect(runOpenLoop(target, 1_000, 0.01)).rejects.toThrow('503')
  })
})
