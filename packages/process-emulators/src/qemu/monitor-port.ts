import { createServer, type Socket } from 'node:net'
import { encodeTelnet, isRefusal, openTelnetSession, Refusal } from '@trivium/emulation-core/ports'
import { isHarmlessCommand } from './monitor-commands.ts'

const PROMPT = '(qemu) '
const LONGEST_LINE = 4096
const MAX_CLIENTS = 8
/** Commands of one client that can wait. A client with more is disconnected. */
const MAX_WAITING = 256
/** Output that can wait for a client. A client that does not read more is disconnected. */
const SLOW_CLIENT_BYTES = 4 * 1024 * 1024

export interface MonitorPortOptions {
  /** A TCP port of 127.0.0.1. */
  readonly port: number
  readonly greeting: string
  /** Runs a line on the monitor of the emulator. @returns its output */
  readonly run: (line: string) => Promise<string>
  /** Whether every command is allowed, rather than only those that do not affect the host. */
  readonly trusted: boolean
  /** Called for each connection, with the address of the client. */
  readonly onOpened?: ((remoteAddress: string | undefined) => void) | undefined
  /** Called for each connection that is closed because it is from a web page. */
  readonly onRefused?: (() => void) | undefined
}

export interface MonitorPort {
  readonly port: number
  close(): void
}

/**
 * Opens the monitor of the emulator as a telnet server for at most 8 clients. Each line is a command. There is no
 * history. The request of a web page is refused before a command of it runs. Rejects with an `unavailable` refusal where
 * the port is in use.
 */
export async function openMonitorPort(options: MonitorPortOptions): Promise<MonitorPort> {
  const { port, greeting, run, trusted, onOpened, onRefused } = options
  const clients = new Set<Socket>()
  const server = createServer((socket) => {
    if (clients.size >= MAX_CLIENTS) return void socket.destroy()
    clients.add(socket)
    socket.once('close', () => clients.delete(socket))
    socket.on('error', () => {})
    const runAllowed = async (line: string) => {
      if (!trusted && !isHarmlessCommand(line)) return `This server does not allow this command: ${line}\r\n`
      return run(line)
    }
    onOpened?.(socket.remoteAddress)
    serve(socket, { greeting, run: runAllowed, onRefused })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Refusal('unavailable', `The monitor can't listen on port ${port}: ${cause.message}`, { cause })),
    )
    server.listen({ host: '127.0.0.1', port }, resolve)
  })
  return {
    port,
    close: () => {
      server.close()
      for (const socket of clients) socket.destroy()
    },
  }
}

function serve(
  socket: Socket,
  { greeting, run, onRefused }: Omit<MonitorPortOptions, 'port' | 'trusted' | 'onOpened'>,
): void {
  let line = ''
  let work = Promise.resolve()
  let waiting = 0
  const print = (text: string) => {
    if (socket.writableLength > SLOW_CLIENT_BYTES) socket.destroy()
    else socket.write(encodeTelnet(new TextEncoder().encode(text)))
  }
  const enter = (command: string) => {
    waiting += 1
    if (waiting > MAX_WAITING) return void socket.destroy()
    work = work.then(async () => {
      waiting -= 1
      if (socket.destroyed) return
      const answer = command.trim() === '' ? '' : await run(command.trim()).catch(messageOf)
      print(`${answer.replace(/\r?\n/g, '\r\n')}${PROMPT}`)
    })
  }
  const type = (character: string) => {
    if (character === '\r' || character === '\n') {
      print('\r\n')
      enter(line)
      line = ''
    } else if (character === '\b' || character === '\x7f') {
      if (line !== '') print('\b \b')
      line = line.slice(0, -1)
    } else if (character === '\x15' || character === '\x03') {
      line = ''
      print(`\r\n${PROMPT}`)
    } else if (character >= ' ' && line.length < LONGEST_LINE) {
      line += character
      print(character)
    }
  }
  const session = openTelnetSession({
    send: (bytes) => void socket.write(bytes),
    hangUp: () => {
      socket.destroy()
      onRefused?.()
    },
    data: (bytes) => {
      for (const byte of bytes) type(String.fromCharCode(byte))
    },
  })
  print(`${greeting}\r\n${PROMPT}`)
  socket.on('data', session.push)
  socket.once('close', session.end)
}

const messageOf = (error: unknown) => `${isRefusal(error) ? error.message : 'The command failed'}\r\n`
