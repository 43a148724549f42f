import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Replaces every upstream of the gateway: models in two formats, images, a page of search results. */
export interface SoakUpstream {
  readonly origin: string
  /** Closes all connections, also those that were never used. */
  closeConnections(): void
  close(): Promise<void>
}

/** In a prompt: makes the upstream close the connection during its answer. */
export const CUT = 'please cut'
/** In a prompt: makes the answer continue until its client disconnects, or the upstream closes. */
export const ENDLESS = 'please go on'

const WORDS = Array.from({ length: 20 }, (_, index) => `word${index} `)

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const PAGE = `<div id="links">${WORDS.map(
  (word) => `<div class="result results_links web-result"><div class="links_main result__body">
<h2 class="result__title"><a class="result__a" href="https://example.com/${word.trim()}">${word}</a></h2>
<a class="result__snippet" href="https://example.com/${word.trim()}">About <b>${word}</b></a></div></div>`,
).join('')}</div>`

export async function startSoakUpstream(): Promise<SoakUpstream> {
  const server = createServer(async (request, response) => {
    response.on('error', () => undefined)
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    const path = request.url ?? ''
    if (path.startsWith('/v1/chat/completions')) await answer(response, body, openAi)
    else if (path.startsWith('/v1/messages')) await answer(response, body, anthropic)
    else if (path.startsWith('/v1/images')) sendJson(response, { created: 1_700_000_000, data: [{ b64_json: PIXEL }] })
    else response.setHeader('content-type', 'text/html').end(PAGE)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    closeConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Format {
  readonly whole: unknown
  readonly begin: readonly unknown[]
  readonly word: (word: string) => unknown
  readonly end: readonly unknown[]
  readonly encode: (event: unknown) => string
}

async function answer(response: ServerResponse, body: string, format: Format): Promise<void> {
  if (!body.includes('"stream":true')) {
    if (body.includes(CUT)) response.destroy()
    else sendJson(response, format.whole)
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  const send = (event: unknown) => void response.write(format.encode(event))
  for (const event of format.begin) send(event)
  for (let count = 0; count < WORDS.length || body.includes(ENDLESS); count += 1) {
    if (response.destroyed) return
    if (count === 5 && body.includes(CUT)) return void response.destroy()
    send(format.word(WORDS[count % WORDS.length] ?? ''))
    // Each word is a packet of its own, as models send them.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  for (const event of format.end) send(event)
  response.end()
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}

const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'big' }
const counts = { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 }
const openAiChunk = (delta: object, finish_reason: string | null = null) => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})

const openAi: Format = {
  whole: {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: WORDS.join('') }, finish_reason: 'stop' }],
    usage: counts,
  },
  begin: [openAiChunk({ role: 'assistant', content: '' })],
  word: (content) => openAiChunk({ content }),
  end: [openAiChunk({}, 'stop'), { ...head, choices: [], usage: counts }, '[DONE]'],
  encode: (event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`,
}

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude' }

const anthropic: Format = {
  whole: {
    ...message,
    content: [{ type: 'text', text: WORDS.join('') }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 9, output_tokens: 20 },
  },
  begin: [
    { type: 'message_start', message: { ...message, content: [], usage: { input_tokens: 9, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ],
  word: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  end: [
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ],
  encode: (event) => {
    const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : ''
    return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`
  },
}
