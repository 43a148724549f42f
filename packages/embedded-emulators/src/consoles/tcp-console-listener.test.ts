import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type ConsoleConnection, isRefusal, type OpenConsole } from '@trivium/emulation-core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { takePort, testPorts } from '../../tests/test-ports.ts'
import { tcpConsoleListener } from './tcp-console-listener.ts'

const sockets: Socket[] = []
const consoles: OpenConsole[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const open of consoles.splice(0)) await open.close()
})

async function client(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const freePort = () => takePort(testPorts(), 'console')

/** Opens a console with one client, and collects what the server receives. */
async function openPair() {
  const port = await freePort()
  const receivedTexts: string[] = []
  const events = { closed: 0 }
  let notify = () => {}
  const accepted = new Promise<ConsoleConnection>((resolve, reject) => {
    tcpConsoleListener()
      .listen(port, (connection) => {
        resolve(connection)
        return {
          data(bytes) {
            receivedTexts.push(Buffer.from(bytes).toString())
            notify()
          },
          closed() {
            events.closed += 1
            notify()
          },
        }
      })
      .then((open) => consoles.push(open))
      .then(() => client(port))
      .catch(reject)
  })
  const connection = await accepted
  const socket = sockets[0]
  if (socket === undefined) throw new Error('no client has connected')
  const next = () =>
    new Promise<void>((resolve) => {
      notify = resolve
    })
  return { connection, socket, receivedTexts, events, next }
}

describe('tcpConsoleListener', () => {
  it('carries bytes both ways and reports the end of a connection once', async () => {
    const { connection, socket, receivedTexts, events, next } = await openPair()
    const typed = next()
    socket.write('ls\r')
    await typed
    expect(receivedTexts).toEqual(['ls\r'])
    connection.send(Buffer.from('> '))
    expect(String((await once(socket, 'data'))[0])).toBe('> ')
    const ended = next()
    connection.send(Buffer.from('bye'))
    connection.close()
    expect(String((await once(socket, 'data'))[0])).toBe('bye')
    await ended
    connection.send(Buffer.from('ignored'))
    connection.close()
    expect(events.closed).toBe(1)
  })

  it('counts the bytes that wait for a client that does not read, and drops them when the connection closes', async () => {
    const { connection, socket, events, next } = await openPair()
    socket.pause()
    while (connection.bufferedBytes < 8 * 1024 * 1024) connection.send(Buffer.alloc(256 * 1024))
    const ended = next()
    connection.close()
    await ended
    expect(events.closed).toBe(1)
  })

  it('refuses a port that is in use, and frees its own port with all connections when it closes', async () => {
    const port = await freePort()
    const listener = tcpConsoleListener()
    const ignoreEvents = () => ({ data: () => {}, closed: () => {} })
    const first = await listener.listen(port, ignoreEvents)
    await expect(listener.listen(port, ignoreEvents)).rejects.toSatisfy(isRefusal)
    const socket = await client(port)
    await first.close()
    if (!socket.closed) await once(socket.resume(), 'close')
    consoles.push(await listener.listen(port, ignoreEvents))
  })
})
