import { createServer, type Server, type Socket } from 'node:net'
import {
  type ConsoleConnectionEvents,
  type ConsoleListener,
  encodeTelnet,
  Refusal,
} from '@trivium/emulation-core/ports'
import { systemClock } from '../clock/clock.ts'
import { consoleSources, isLoopbackHost } from './console-sources.ts'
import { createPasswordCheck, type PasswordCheck } from './password-check.ts'
import { openPasswordPrompt } from './password-prompt.ts'

/** The address of consoles, and who can use them. */
export interface TcpConsoleListenerOptions {
  /**
   * The address on which consoles listen. Another one than that of loopback requires `password` or `sources`, since
   * telnet has no login of its own.
   *
   * @default '127.0.0.1'
   */
  readonly host?: string
  /**
   * The password that each console asks for. Telnet sends it unencrypted. A connection has three tries, with a pause of a
   * second, and an address that has sent ten wrong ones waits for a minute.
   *
   * @default none
   */
  readonly password?: string
  /**
   * Addresses and networks such as `10.0.0.0/8` from which consoles accept connections. Others are closed before a byte
   * is sent.
   *
   * @default every source
   */
  readonly sources?: readonly string[]
  /** Open connections of one console. Further ones are closed immediately. @default 100 */
  readonly connectionLimit?: number
}

type Accept = Parameters<ConsoleListener['listen']>[1]

function serve(socket: Socket, accept: Accept, check: PasswordCheck | undefined) {
  socket.setNoDelay(true)
  const send = (bytes: Uint8Array) => {
    if (socket.writable) socket.write(bytes)
  }
  const open = (): ConsoleConnectionEvents =>
    accept({
      remoteAddress: socket.remoteAddress,
      send,
      get bufferedBytes() {
        return socket.writableLength
      },
      close() {
        // A reader that is stuck must not keep the socket.
        if (socket.writableLength === 0) socket.destroySoon()
        else socket.destroy()
      },
    })
  let events = check === undefined ? open() : ask(check)
  socket.on('data', (bytes) => {
    events.data(bytes)
    // One chunk in each turn of the event loop: a client that sends without end must not block others.
    socket.pause()
    setImmediate(() => socket.resume())
  })
  socket.on('error', () => {})
  socket.once('close', () => events.closed())

  function ask(passwords: PasswordCheck): ConsoleConnectionEvents {
    const prompt = openPasswordPrompt({
      check: passwords,
      address: socket.remoteAddress ?? '',
      clock: systemClock,
      send,
      accepted(rest) {
        events = open()
        if (rest.length > 0) events.data(encodeTelnet(rest))
      },
      refused: () => socket.destroySoon(),
    })
    return { data: prompt.push, closed: prompt.end }
  }
}

/**
 * Listens on TCP for consoles. `listen` rejects with an `unavailable` refusal where the port can't be used.
 *
 * @throws TypeError for an address that other machines reach without `password` and `sources`, and for a source that is
 * not a network
 */
export function tcpConsoleListener({
  host = '127.0.0.1',
  password,
  sources,
  connectionLimit = 100,
}: TcpConsoleListenerOptions = {}): ConsoleListener {
  if (!isLoopbackHost(host) && password === undefined && sources === undefined)
    throw new TypeError(`Consoles at '${host}' require 'password' or 'sources', since other machines reach them.`)
  const isSource = sources === undefined ? () => true : consoleSources(sources)
  const check = password === undefined ? undefined : createPasswordCheck(password, systemClock)
  const isRefused = (address: string | undefined) => !isSource(address) || check?.isHeldOff(address ?? '') === true
  return {
    listen: (port, accept) =>
      new Promise((resolve, reject) => {
        const sockets = new Set<Socket>()
        const server: Server = createServer((socket) => {
          if (isRefused(socket.remoteAddress)) {
            socket.on('error', () => {}).destroy()
            return
          }
          sockets.add(socket)
          socket.once('close', () => sockets.delete(socket))
          serve(socket, accept, check)
        })
        server.maxConnections = connectionLimit
        server.once('error', (error) =>
          reject(new Refusal('unavailable', `TCP port ${port} can't be used on host ${host}.`, { cause: error })),
        )
        server.listen({ port, host, exclusive: true }, () => {
          resolve({
            close: () =>
              new Promise((closed) => {
                server.close(() => closed())
                for (const socket of sockets) socket.destroySoon()
              }),
          })
        })
      }),
  }
}
