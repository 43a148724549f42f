import { connect, type Socket } from 'node:net'
import { consoleClient, createTelnetDecoder } from '../src/ports.ts'

/** A viewer on the TCP port of a console. */
export interface TelnetClient {
  /** Sends a line, and resolves at the next prompt with the output since then. */
  run(line: string): Promise<string>
  /** Resolves when the output has the text, with all output so far. */
  until(text: string | RegExp): Promise<string>
  close(): void
}

export async function openTelnet(port: number, prompt: string | RegExp): Promise<TelnetClient> {
  const socket: Socket = connect({ port, host: '127.0.0.1' })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  const decoder = new TextDecoder()
  let shown = ''
  let changed = () => {}
  const telnet = createTelnetDecoder(consoleClient, {
    data: (bytes) => {
      shown += decoder.decode(bytes, { stream: true })
      changed()
    },
    reply: (bytes) => void socket.write(bytes),
  })
  socket.on('data', (bytes) => telnet.push(bytes))
  socket.on('close', () => changed())
  socket.on('error', () => {})

  const fits = (text: string | RegExp) => (typeof text === 'string' ? shown.includes(text) : text.test(shown))
  const until = async (text: string | RegExp) => {
    while (!fits(text)) {
      if (socket.closed) throw new Error(`The console closed before ${String(text)}. Its output:\n${shown}`)
      await new Promise<void>((resolve) => {
        changed = resolve
      })
    }
    return shown
  }
  return {
    until,
    run: async (line) => {
      shown = ''
      socket.write(`${line}\r\n`)
      return until(prompt)
    },
    close: () => socket.destroy(),
  }
}
