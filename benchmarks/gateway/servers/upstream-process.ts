import { createServer } from 'node:http'
import * as v from 'valibot'
import { chatAnswers } from './answers/chat-answers.ts'
import { messagesAnswers } from './answers/messages-answers.ts'
import { responsesAnswers } from './answers/responses-answers.ts'
import { listen } from './listen.ts'

const SPACING_MS = 5
const body = v.object({ model: v.string(), stream: v.optional(v.boolean()) })

/**
 * The upstream of every server, in all dialects. `mock-1` answers immediately. `mock-spaced` waits 5 milliseconds between the
 * events of a stream. The argument is its port, a free one by default.
 */
const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ object: 'list', data: ['mock-1', 'mock-spaced'].map((id) => ({ id, object: 'model' })) }),
      )
      return
    }
    const { model, stream } = v.parse(body, JSON.parse(Buffer.concat(pieces).toString()))
    const { whole, events } = answersOf(request.url ?? '')
    if (!stream) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
      response.end(whole)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (model !== 'mock-spaced') {
      for (const each of events) response.write(each)
      response.end()
      return
    }
    let next = 0
    const send = () => {
      response.write(events[next++] ?? '')
      if (next < events.length) setTimeout(send, SPACING_MS)
      else response.end()
    }
    send()
  })
})

await listen(server, Number(process.argv[2] ?? 0))

function answersOf(path: string) {
  if (path === '/v1/responses') return responsesAnswers
  return path === '/v1/messages' ? messagesAnswers : chatAnswers
}
