import { createServer } from 'node:http'
import * as v from 'valibot'
import { listen } from './listen.ts'

const SPACING_MS = 5
const TOKENS = 20

const common = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'mock-1', system_fingerprint: 'fp_1' }

const completion = Buffer.from(
  JSON.stringify({
    ...common,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'word '.repeat(48), refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 48, total_tokens: 57 },
  }),
)

const event = (fields: object) =>
  Buffer.from(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...fields })}\n\n`)
const choice = (delta: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null })

const events = [
  choice({ role: 'assistant', content: '' }),
  ...Array.from({ length: TOKENS }, (_, index) => choice({ content: `token${index} ` })),
  choice({}, 'stop'),
  event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: TOKENS, total_tokens: TOKENS + 9 } }),
  Buffer.from('data: [DONE]\n\n'),
]

const body = v.object({ model: v.string(), stream: v.optional(v.boolean()) })

/**
 * The upstream of every server. `mock-1` answers immediately. `mock-spaced` waits 5 milliseconds between the events of a
 * stream.
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
    if (!stream) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': completion.length })
      response.end(completion)
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

await listen(server)
