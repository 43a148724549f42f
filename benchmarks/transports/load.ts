import { once } from 'node:events'
import { connect } from 'node:net'

export interface Load {
  readonly request: string
  /** How a response ends: a stream with its last chunk, any other after the bytes of its `content-length`. */
  readonly ends: 'by-length' | 'by-last-chunk'
}

const CONNECTIONS = 16

/**
 * Sends so many requests over a few connections, one at a time on each, and checks that each succeeds.
 *
 * @returns milliseconds from each request to the last byte of its answer
 */
export async function runLoad(port: number, load: Load, requests: number): Promise<readonly number[]> {
  const times: number[] = []
  let left = requests
  const takeRequest = () => left-- > 0
  await Promise.all(Array.from({ length: CONNECTIONS }, () => runConnection(port, load, takeRequest, times)))
  return times
}

async function runConnection(
  port: number,
  { request, ends }: Load,
  takeRequest: () => boolean,
  times: number[],
): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const bytes = Buffer.from(request)
  await new Promise<void>((resolve, reject) => {
    let received = 0
    let expected = 0
    let sent = 0
    const next = () => {
      received = 0
      sent = performance.now()
      if (takeRequest()) socket.write(bytes)
      else resolve()
    }
    socket.on('data', (chunk: Buffer) => {
      if (received === 0) {
        if (!chunk.subarray(0, ok.length).equals(ok)) reject(new Error(chunk.toString()))
        if (ends === 'by-length') expected = lengthOf(chunk.toString('latin1'))
      }
      received += chunk.length
      const isDone = ends === 'by-length' ? received >= expected : chunk.subarray(-5).equals(lastChunk)
      if (!isDone) return
      times.push(performance.now() - sent)
      next()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection')))
    next()
  })
  socket.removeAllListeners('close')
  socket.destroy()
}

const ok = Buffer.from('HTTP/1.1 20')
const lastChunk = Buffer.from('0\r\n\r\n')

function lengthOf(head: string): number {
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`there is no length in ${head}`)
  return head.indexOf('\r\n\r\n') + 4 + Number(length)
}
