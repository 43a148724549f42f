import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openRaw } from '../conformance/raw-connection.ts'
import { BodyTooLarge, ClientDisconnected } from '../request-body.ts'
import { readBody } from './index.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Reads bodies of at most ten bytes, and reports each result or error. */
async function serveReading(outcome: (read: unknown) => void) {
  server = createServer(async (request, response) => {
    outcome(await Promise.resolve(readBody(request, response, { limit: 10 })).catch((error: unknown) => error))
    response.end('read')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address.
  return openRaw((server.address() as AddressInfo).port)
}

const TOO_LONG = 33 * 2 ** 20

describe('readBody', () => {
  it('closes the connection when the client announces more than 32 MiB', async () => {
    const outcomes: unknown[] = []
    const connection = await serveReading((read) => outcomes.push(read))
    connection.send(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${TOO_LONG}\r\n\r\n`)
    const { headers, text } = await connection.response()
    expect([headers.connection, text]).toEqual(['close', 'read'])
    await connection.rest()
    expect(outcomes).toEqual([new BodyTooLarge(10)])
  })

  it('closes the connection when more than 32 MiB of chunks follow after the answer', async () => {
    const connection = await serveReading(() => undefined)
    connection.send('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n')
    const mebibyte = Buffer.alloc(2 ** 20)
    connection.send(Buffer.concat([Buffer.from(`${(2 ** 20).toString(16)}\r\n`), mebibyte, Buffer.from('\r\n')]))
    expect((await connection.response()).text).toBe('read')
    const pour = () => {
      if (connection.socket.destroyed) return
      connection.socket.write(`${(2 ** 20).toString(16)}\r\n`)
      connection.socket.write(mebibyte)
      connection.socket.write('\r\n', pour)
    }
    pour()
    await connection.rest()
  })

  it('rejects with ClientDisconnected when the client disconnects before the end of the body', async () => {
    let report: (read: unknown) => void = () => undefined
    const outcome = new Promise((resolve) => {
      report = resolve
    })
    const connection = await serveReading((read) => report(read))
    connection.send('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nab')
    connection.socket.end()
    expect(await outcome).toBeInstanceOf(ClientDisconnected)
  })
})
