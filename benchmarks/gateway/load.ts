import { once } from 'node:events'
import { connect } from 'node:net'

export interface Load {
  readonly name: string
  readonly model: string
  readonly stream: boolean
  readonly connections: number
}

export interface LoadTarget {
  readonly port: number
  /** Header lines of each connection. */
  readonly clients: readonly string[]
  readonly model: string
}

const messages = [
  { role: 'system', content: 'You answer in short and friendly sentences. '.repeat(8) },
  { role: 'user', content: 'What is the weather like, and what should I wear? '.repeat(8) },
]

/**
 * Sends so many chat requests over a few connections, one at a time on each, and checks that every answer is complete.
 *
 * @returns milliseconds from each request to the last byte of its answer
 */
export async function runLoad(
  load: Load,
  { port, clients, model }: LoadTarget,
  requests: number,
): Promise<readonly number[]> {
  const usage = load.stream ? { stream: true, stream_options: { include_usage: true } } : {}
  const body = JSON.stringify({ model, messages, temperature: 0.7, max_tokens: 100, ...usage })
  const times: number[] = []
  let left = requests
  const take = () => left-- > 0
  await Promise.all(
    clients.slice(0, load.connections).map((headers) => {
      const request = `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      return runConnection(port, Buffer.from(request), load.stream, take, times)
    }),
  )
  return times
}

async function runConnection(
  port: number,
  request: Buffer,
  stream: boolean,
  take: () => boolean,
  times: number[],
): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.setNoDelay(true)
  await new Promise<void>((resolve, reject) => {
    let answer: Buffer[] = []
    let received = 0
    let length: number | undefined
    let sent = 0
    const next = () => {
      answer = []
      received = 0
      length = undefined
      sent = performance.now()
      if (take()) socket.write(request)
      else resolve()
    }
    socket.on('data', (piece: Buffer) => {
      answer.push(piece)
      received += piece.length
      length ??= lengthOf(answer)
      const ended = length === undefined ? piece.subarray(-lastChunk.length).equals(lastChunk) : received >= length
      if (!ended) return
      times.push(performance.now() - sent)
      const text = Buffer.concat(answer).toString('latin1')
      const sign = stream ? 'data: [DONE]' : '"total_tokens":57'
      if (!text.startsWith('HTTP/1.1 200') || !text.includes(sign))
        reject(new Error(`The answer is not complete: ${text}`))
      else next()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection')))
    next()
  })
  socket.removeAllListeners('close')
  socket.destroy()
}

const lastChunk = Buffer.from('0\r\n\r\n')
const headEnd = Buffer.from('\r\n\r\n')

/** Returns the length of the whole answer; `undefined` while its head is incomplete, and where it is sent in chunks. */
function lengthOf([first]: readonly Buffer[]): number | undefined {
  const end = first?.indexOf(headEnd) ?? -1
  if (first === undefined || end < 0) return undefined
  const length = /\r\ncontent-length: *(\d+)/i.exec(first.toString('latin1', 0, end))?.[1]
  return length === undefined ? undefined : end + headEnd.length + Number(length)
}
