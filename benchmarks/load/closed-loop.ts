import { once } from 'node:events'
import { connect } from 'node:net'
import { AnswerReader } from './answer-reader.ts'
import type { HttpTarget } from './http-target.ts'

/**
 * Sends so many requests over a few connections, one at a time on each, and checks that every answer is complete.
 *
 * @returns milliseconds from each request to the last byte of its answer
 */
export async function runClosedLoop(
  target: HttpTarget,
  connections: number,
  requests: number,
): Promise<readonly number[]> {
  const times: number[] = []
  let left = requests
  const take = () => left-- > 0
  await Promise.all(target.requests.slice(0, connections).map((request) => runConnection(target, request, take, times)))
  return times
}

async function runConnection(
  { host, port, sign }: HttpTarget,
  request: Buffer,
  take: () => boolean,
  times: number[],
): Promise<void> {
  const socket = connect(port, host)
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const reader = new AnswerReader(sign)
  await new Promise<void>((resolve, reject) => {
    let sent = 0
    const next = () => {
      sent = performance.now()
      if (take()) socket.write(request)
      else resolve()
    }
    socket.on('data', (piece: Buffer) => {
      try {
        if (!reader.add(piece)) return
        times.push(performance.now() - sent)
        next()
      } catch (error) {
        reject(error)
      }
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection')))
    next()
  })
  socket.removeAllListeners('close')
  socket.destroy()
}
