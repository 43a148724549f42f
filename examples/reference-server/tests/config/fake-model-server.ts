import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { WebSocketServer } from 'ws'

/** An OpenAI-compatible server with chats, slow streams and realtime sessions, whose answers contain its name. */
export interface FakeModelServer {
  readonly url: string
  /** The bodies and headers of the chats that it has got. */
  readonly requests: readonly {
    readonly path: string
    readonly headers: NodeJS.Dict<string | string[]>
    readonly body: string
  }[]
  close(): Promise<void>
}

const CHUNKS = 40
const INTERVAL_MS = 25

export async function fakeModelServer(name: string): Promise<FakeModelServer> {
  const requests: { path: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  const common = { id: 'chatcmpl-1', created: 1, model: 'm' }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    if (request.url?.endsWith('/messages')) {
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' }
      const whole = { ...message, stop_sequence: null, content: [{ type: 'text', text: name }] }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...whole, usage: { input_tokens: 1, output_tokens: 1 } }))
      return
    }
    if (request.url?.endsWith('/embeddings')) {
      const data = [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } }))
      return
    }
    if (!body.includes('"stream":true')) {
      const message = { role: 'assistant', content: name }
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          ...common,
          object: 'chat.completion',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage,
        }),
      )
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    let sent = 0
    const timer = setInterval(() => {
      sent += 1
      const finish_reason = sent === CHUNKS ? 'stop' : null
      const choices = [{ index: 0, delta: { role: 'assistant', content: `${name} ` }, finish_reason }]
      response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices })}\n\n`)
      if (sent < CHUNKS) return
      clearInterval(timer)
      response.end('data: [DONE]\n\n')
    }, INTERVAL_MS)
    response.on('close', () => clearInterval(timer))
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('message', () => socket.send(JSON.stringify({ type: 'conversation.item.created', from: name })))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening server over TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async close() {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The chunks of a whole stream. */
export const wholeStream = CHUNKS
