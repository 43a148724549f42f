import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Resolves when so many requests have arrived. */
  readonly arrived: (count: number) => Promise<void>
  /** Replaces what the receiver answers. */
  readonly answerWith: (answer: Answer) => void
}

/** Answers a request, or leaves it without an answer. */
export type Answer = (response: ServerResponse, request: Received) => void

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end('answer')

/** Opens a receiver of webhooks on the loopback interface, which is closed at the end of the test. */
export async function openReceiver(first: Answer = status(204)): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  let answer = first
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { headers, url = '' } = request
    const one = {
      id: String(headers['webhook-id']),
      headers,
      body: Buffer.concat(chunks).toString(),
      path: url,
    }
    received.push(one)
    for (const check of waiting) check()
    answer(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo // a server on TCP
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    answerWith: (other) => {
      answer = other
    },
  }
}
