import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import type { JsonObject, Provider } from '@trivium/gateway-core/ports'
import { adminCheck } from '@trivium/http-contract'
import { expect, it } from 'vitest'
import { longestBlockMs } from './longest-block.ts'

/** The limit that `docs/security.md` promises. */
const MAX_BLOCK_MS = 100

const encoder = new TextEncoder()
const encoded = (event: JsonObject) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** An upstream of messages that sends each of these pieces in a turn of the event loop of its own. */
function upstream(pieces: readonly string[]): Provider {
  return {
    id: 'up',
    models: async () => [{ id: 'm', kind: 'chat', ownedBy: 'test', created: 0 }],
    messages: {
      complete: () => Promise.reject(new Error('Only streams are requested.')),
      stream: async () => ({
        kind: 'encoded',
        start: (receiver) => {
          let next = 0
          const send = () => {
            const piece = pieces[next++]
            if (piece === undefined) receiver.end()
            else {
              receiver.data(encoder.encode(piece))
              setTimeout(send, 1)
            }
          }
          setTimeout(send)
          return { resume: () => undefined, cancel: () => undefined }
        },
      }),
    },
  }
}

const manyMembers = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]))
const start = { type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 1 } } }
const later = encoded({ type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 3 } })
const end = encoded({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } })

const requests: Readonly<Record<string, JsonObject>> = {
  'chat/completions': {},
  messages: { max_tokens: 9 },
  // Its turns may pause, so that the gateway reads them once more.
  'messages?beta=true': { max_tokens: 9, tools: [{ type: 'code_execution_20250522', name: 'code_execution' }] },
}

it.each(
  Object.keys(requests).flatMap((path) => [
    { path, delta: manyMembers, usage: {} },
    { path, delta: {}, usage: manyMembers },
  ]),
)('the members of one event do not slow down the later ones of a stream to $path', async ({ path, delta, usage }) => {
  const big = encoded({ type: 'message_delta', delta, usage })
  const pieces = [encoded(start), big, later.repeat(300), end + encoded({ type: 'message_stop' })]
  const gateway = createGateway({ repositories: memoryGatewayRepositories(), providers: [upstream(pieces)] })
  try {
    const handle = fetchHandler(gatewayRoutes(gateway, { admin: adminCheck('secret') }))
    const { secret } = (await gateway.apiKeys.generate({ username: 'ada', rateLimit: 1000 }))._unsafeUnwrap()
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
    const body = { model: 'up/m', stream: true, messages: [{ role: 'user', content: 'x' }], ...requests[path] }
    let least = Number.POSITIVE_INFINITY
    let text = ''
    for (let round = 0; round < 2; round += 1) {
      const request = new Request(`http://127.0.0.1/v1/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      const ms = await longestBlockMs(async () => {
        text = (await (await handle(request))?.text()) ?? ''
      })
      least = Math.min(least, ms)
    }
    expect(text).toMatch(/"(?:stop|end_turn)"/)
    expect(least).toBeLessThan(MAX_BLOCK_MS)
  } finally {
    await gateway.close()
  }
}, 60_000)
