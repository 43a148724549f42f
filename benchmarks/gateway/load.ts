import { once } from 'node:events'
import { connect } from 'node:net'

export interface Load {
  readonly name: string
  readonly model: string
  readonly stream: boolean
  readonly connections: number
  /** @default 'chat' */
  readonly dialect?: Dialect
}

export interface LoadTarget {
  readonly port: number
  /** Header lines of each connection. */
  readonly clients: readonly string[]
  readonly model: string
}

const system = 'You answer in short and friendly sentences. '.repeat(8)
const question = 'What is the weather like, and what should I wear? '.repeat(8)

/** How a client speaks one dialect: its path, its body, and the signs of complete answers. */
const dialects = {
  chat: {
    path: '/v1/chat/completions',
    body: (stream: boolean) => ({
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: question },
      ],
      temperature: 0.7,
      max_tokens: 100,
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    }),
    whole: '"total_tokens":57',
    streamed: 'data: [DONE]',
  },
  responses: {
    path: '/v1/responses',
    body: (stream: boolean) => ({
      instructions: system,
      input: question,
      temperature: 0.7,
      max_output_tokens: 100,
      store: false,
      ...(stream ? { stream } : {}),
    }),
    whole: '"total_tokens":57',
    streamed: 'event: response.completed',
  },
  messages: {
    path: '/v1/messages',
    body: (stream: boolean) => ({
      system,
      messages: [{ role: 'user', content: question }],
      temperature: 0.7,
      max_tokens: 100,
      ...(stream ? { stream } : {}),
    }),
    whole: '"output_tokens":48',
    streamed: 'event: message_stop',
  },
}

export type Dialect = keyof typeof dialects

/**
 * Sends so many requests over a few connections, one at a time on each, and checks that every answer is complete.
 *
 * @returns milliseconds from each request to the last byte of its answer
 */
export async function runLoad(
  load: Load,
  { port, clients, model }: LoadTarget,
  requests: number,
): Promise<readonly number[]> {
  const dialect = dialects[load.dialect ?? 'chat']
  const body = JSON.stringify({ model, ...dialect.body(load.stream) })
  const sign = load.stream ? dialect.streamed : dialect.whole
  const times: number[] = []
  let left = requests
  const take = () => left-- > 0
  await Promise.all(
    clients.slice(0, load.connections).map((headers) => {
      const request = `POST ${dialect.path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      return runConnection(port, Buffer.from(request), sign, take, times)
    }),
  )
  return times
}

async function runConnection(
  port: number,
  request: Buffer,
  sign: string,
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
