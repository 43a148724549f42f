import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway, patternNames, patternsGuardrail } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import type { Provider } from '@trivium/gateway-core/ports'
import { expect, it } from 'vitest'
import { longestBlockMs } from './longest-block.ts'

/** The limit that `docs/security.md` promises. */
const MAX_BLOCK_MS = 100

const encoder = new TextEncoder()
const event = (content: string) => {
  const chunk = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] }
  return `data: ${JSON.stringify(chunk)}\n\n`
}
const END =
  'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

/** An upstream of chat completions that sends these chunks in one turn of the event loop. */
const upstream = (chunks: readonly string[]): Provider => ({
  id: 'up',
  models: async () => [{ id: 'm', kind: 'chat', ownedBy: 'test', created: 0 }],
  chat: {
    complete: () => Promise.reject(new Error('Only streams are requested.')),
    stream: async () => ({
      kind: 'encoded',
      start: (receiver) => {
        setTimeout(() => {
          for (const chunk of chunks) receiver.data(encoder.encode(chunk))
          receiver.end()
        })
        return { resume: () => undefined, cancel: () => undefined }
      },
    }),
  },
})

const TEXT = 'Some words of a text, and more of them. '.repeat(12)
const expressions = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`order_${at}`, `(?i)(some|words|text)[a-z0-9 ]{1,60}x${at}`]),
)
const events = Array.from({ length: 400 }, () => event(TEXT))

it.each([
  ['400 events in one chunk', [events.join('')]],
  ['400 events in as many chunks', events],
  ['an event with a text of 200 KB', [event(TEXT.repeat(400))]],
])('guardrails block the event loop for less than 100 ms of CPU time for %s of a stream', async (name, chunks) => {
  const gateway = createGateway({
    providers: [upstream([...chunks, END])],
    guardrails: [
      patternsGuardrail({ id: 'names', names: patternNames, on: ['output'] }),
      patternsGuardrail({ id: 'orders', expressions, on: ['output'] }),
    ],
  })
  try {
    const { secret } = (await gateway.apiKeys.generate({ username: 'ada', rateLimit: 1_000 }))._unsafeUnwrap()
    const handle = fetchHandler(gatewayRoutes(gateway))
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
    const body = JSON.stringify({ model: 'up/m', stream: true, messages: [{ role: 'user', content: 'Hello' }] })
    let least = Number.POSITIVE_INFINITY
    // Other processes and the compiler add to a single result.
    for (let round = 0; round < 2; round += 1) {
      let answer = ''
      const block = await longestBlockMs(async () => {
        const request = new Request('http://127.0.0.1/v1/chat/completions', { method: 'POST', headers, body })
        answer = (await (await handle(request))?.text()) ?? ''
      })
      const contents = answer.split('\n').flatMap((line) => {
        const data = line.startsWith('data: {') ? JSON.parse(line.slice(6)) : undefined
        return data?.choices[0]?.delta?.content ?? []
      })
      expect(contents.join('')).toBe(TEXT.repeat(400))
      expect(answer.trimEnd()).toMatch(/\[DONE\]$/)
      least = Math.min(least, block)
    }
    console.info(`${name}: the longest block of the event loop is ${least.toFixed()} ms`)
    expect(least).toBeLessThan(MAX_BLOCK_MS)
  } finally {
    await gateway.close()
  }
})
