import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type ConsoleEndpoint, consoleClient, createTelnetDecoder, encodeTelnet } from '@trivium/emulation-core/ports'
import { type PacedOutput, pacedOutput } from '../processes/paced-output.ts'
import { createShownBuffer } from '../processes/stream-console.ts'

const RETRY_MS = 10
/** After a viewer told the program to end its session. */
const RECONNECT_MS = 200
const TYPED_AHEAD_BYTES = 64 * 1024

/** A TCP port that nothing listens on at any address, as the operating system chooses it. */
export function freeTcpPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port: 0, host: '0.0.0.0' }, () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

export interface ProgramConsole {
  readonly endpoint: ConsoleEndpoint
  /** Resolves at the program's first word. */
  readonly answers: Promise<void>
  close(): void
}

/**
 * The console of a program that serves telnet to one client at a time. The connection is held for as long as the
 * program lives, so that nobody else gets in; when the program ends the session, it is made again.
 */
export function connectProgramConsole(port: number): ProgramConsole {
  const shown = createShownBuffer()
  let socket: Socket | undefined
  let output: PacedOutput | undefined
  let closed = false
  let answered: () => void = () => {}
  const answers = new Promise<void>((resolve) => {
    answered = resolve
  })

  const session = (): Promise<boolean> =>
    new Promise((resolve) => {
      let spoke = false
      const current = connect({ port, host: '127.0.0.1', noDelay: true })
      socket = current
      const telnet = createTelnetDecoder(consoleClient, {
        data: shown.show,
        reply: (bytes) => void current.write(bytes),
      })
      output = pacedOutput(current, (bytes) => {
        spoke = true
        answered()
        telnet.push(bytes)
      })
      current.on('error', () => {})
      current.once('close', () => resolve(spoke))
    })

  const hold = async () => {
    while (!closed) await wait((await session()) ? RECONNECT_MS : RETRY_MS)
  }
  void hold()

  return {
    answers,
    endpoint: {
      write: (bytes) => {
        if (socket?.writable && socket.writableLength < TYPED_AHEAD_BYTES) socket.write(encodeTelnet(bytes))
      },
      onOutput: shown.onOutput,
      pause: () => output?.pause(),
      resume: () => output?.resume(),
    },
    close: () => {
      closed = true
      socket?.destroy()
    },
  }
}
