import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openRaw } from '../conformance/raw-connection.ts'
import { closeServer } from './index.ts'

const cleanups: (() => void)[] = []

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  cleanups.push(() => server.closeAllConnections())
  await once(server, 'listening')
  const connect = async (bytes: string) => {
    // A server that listens on a port has an address.
    const connection = await openRaw((server.address() as AddressInfo).port)
    connection.send(bytes)
    return connection
  }
  return { server, connect }
}

const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

describe('closeServer', () => {
  it('closes idle connections, and lets an answer of the host end before its connection closes', async () => {
    const answers: (() => void)[] = []
    const { server, connect } = await listen((_request, response) => {
      response.write('begun')
      answers.push(() => response.end())
    })
    const idle = await connect(request)
    await idle.until('begun')
    answers.shift()?.()
    await idle.until('0\r\n\r\n')
    const running = await connect(request)
    await running.until('begun')
    const closed = closeServer(server)
    expect(await idle.rest()).toBe('')
    answers.shift()?.()
    expect(await running.rest()).toMatch(/0\r\n\r\n$/)
    await closed
    expect(server.listening).toBe(false)
  })

  it('passes the grace to its mounts, and cuts off what is open after it', async () => {
    const { server, connect } = await listen((_request, response) => void response.write('begun'))
    const running = await connect(request)
    await running.until('begun')
    const half = await connect('GET / HTTP/1.1\r\nhost: a\r\n')
    const given: unknown[] = []
    const mounts = [{ close: (options: object) => given.push(options) }, { close: () => new Promise(() => {}) }]
    await closeServer(server, { mounts, graceSeconds: 0.02 })
    expect(given).toEqual([{ graceSeconds: 0.02 }])
    expect(await running.rest()).not.toMatch(/0\r\n\r\n$/)
    expect(await half.rest()).toBe('')
  })

  it('resolves although a WebSocket that no mount closes is open', async () => {
    const { server, connect } = await listen(() => undefined)
    server.on('upgrade', (_request, socket) => {
      cleanups.push(() => socket.destroy())
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    })
    const upgraded = await connect('GET / HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n')
    await upgraded.until('101')
    await closeServer(server, { graceSeconds: 0 })
  })

  it('rejects with the error of a mount after it has closed the others', async () => {
    const { server } = await listen(() => undefined)
    let isClosed = false
    const failing = { close: () => Promise.reject(new Error('not closed')) }
    const other = {
      close: () => {
        isClosed = true
      },
    }
    await expect(closeServer(server, { mounts: [failing, other] })).rejects.toThrow('not closed')
    expect([isClosed, server.listening]).toEqual([true, false])
  })

  it('returns the first promise to later calls, and closes a server that does not listen', async () => {
    const server = createServer()
    const closed = closeServer(server)
    expect(closeServer(server)).toBe(closed)
    await closed
  })
})
