import { once } from 'node:events'
import WebSocket from 'ws'

/** A WebSocket client, and what it has received. */
export interface SocketProbe {
  send(text: string): void
  /** Resolves when the text received so far matches. Rejects when the socket closes before. */
  shows(sign: RegExp): Promise<void>
  /** Resolves with the code with which the server closes. */
  readonly closed: Promise<number>
}

/** Opens a WebSocket. Rejects where the server refuses it. */
export async function openSocket(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SocketProbe> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers: { ...headers } })
  let text = ''
  socket.on('message', (data) => {
    text += data.toString()
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await once(socket, 'open')
  return {
    closed,
    send: (message) => socket.send(message),
    async shows(sign) {
      while (!sign.test(text)) {
        const ended = closed.then(() => true)
        if (await Promise.race([once(socket, 'message').then(() => false), ended])) throw new Error(`received ${text}`)
      }
    },
  }
}
