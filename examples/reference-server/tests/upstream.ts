import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server in the place of an OpenAI-compatible upstream. */
export interface Upstream {
  readonly url: string
  readonly requests: readonly UpstreamRequest[]
  /** Resolves when a client closes the connection of an unfinished answer. */
  cut(): Promise<void>
  close(): Promise<void>
}

export interface UpstreamRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Answer = (request: UpstreamRequest, response: ServerResponse) => void | Promise<void>

export async function startUpstream(answer: Answer): Promise<Upstream> {
  const requests: UpstreamRequest[] = []
  const waiting: (() => void)[] = []
  const server: Server = createServer((message, response) => {
    let body = ''
    message.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    message.on('end', () => {
      const request = { path: message.url ?? '', headers: message.headers, body }
      requests.push(request)
      void answer(request, response)
    })
    response.on('close', () => {
      if (!response.writableFinished) for (const settle of waiting.splice(0)) settle()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    cut: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const chunk = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1700000000,
    model: 'm-1',
    choices: [
      { index: 0, delta: finish === null ? { role: 'assistant', content } : {}, logprobs: null, finish_reason: finish },
    ],
  })}\n\n`
