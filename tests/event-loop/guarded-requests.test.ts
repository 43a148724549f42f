import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway, patternNames, patternsGuardrail } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { localProvider } from '@trivium/local-provider'
import { expect, it } from 'vitest'
import { longestBlockMs } from './longest-block.ts'

/** The limit that `docs/security.md` promises. */
const MAX_BLOCK_MS = 100

const chat = (content: unknown) => JSON.stringify({ model: 'local/echo-no-llm', messages: [{ role: 'user', content }] })
const argumentsOf = (text: string) =>
  JSON.stringify({
    model: 'local/echo-no-llm',
    messages: [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'save', arguments: text } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
    ],
  })
const parts = Array.from({ length: 9_900 }, () => ({ type: 'text', text: 'word jane@example.com '.repeat(12) }))

it.each([
  ['a chat with a text of 8 MB', chat('Some words of a text, 4111 1111 1111 1111.\n'.repeat(200_000))],
  ['a chat with many parts', chat(parts)],
  ['a chat with arguments of many values', argumentsOf(`[${'1234567,'.repeat(400_000)}1]`)],
  ['arguments of many escapes', argumentsOf(`{"a":"${'\\\\u0061\\n'.repeat(400_000)}`)],
  [
    'a chat with a text of many escapes',
    chat('Some \\n words\\\\n of a \\u0061 text, 4111 1111 1111 1111.\n'.repeat(100_000)),
  ],
  [
    'a chat with a text in which escapes hide matches',
    chat('See \\u0040 a \\u0034111 1111 1111 1111 b.\n'.repeat(100_000)),
  ],
  ['a chat with a text that backtracking is slow for', chat('a'.repeat(200_000))],
])('guardrails block the event loop for less than 100 ms of CPU time for %s', async (name, body) => {
  const gateway = createGateway({
    providers: [localProvider()],
    guardrails: [
      patternsGuardrail({
        names: patternNames,
        expressions: { slow: '(a+)+b', either: '(a|aa)+c', order: '\\bORD-[0-9]{4,8}\\b' },
        words: Array.from({ length: 10_000 }, (_, at) => `word${at}`),
      }),
    ],
  })
  try {
    const { secret } = (await gateway.apiKeys.generate({ username: 'ada', rateLimit: 1_000 }))._unsafeUnwrap()
    const handle = fetchHandler(gatewayRoutes(gateway))
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
    let least = Number.POSITIVE_INFINITY
    // Other processes and the compiler add to a single result.
    for (let round = 0; round < 2; round += 1) {
      const request = new Request('http://127.0.0.1/v1/chat/completions', { method: 'POST', headers, body })
      const block = await longestBlockMs(async () => {
        const answer = await handle(request)
        expect(answer?.status).toBe(200)
        await answer?.arrayBuffer()
      })
      least = Math.min(least, block)
    }
    console.info(`${name}: the longest block of the event loop is ${least.toFixed()} ms`)
    expect(least).toBeLessThan(MAX_BLOCK_MS)
  } finally {
    await gateway.close()
  }
})
