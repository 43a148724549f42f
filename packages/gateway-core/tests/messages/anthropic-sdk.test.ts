import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { ConversationEvent } from '../../src/dialects/conversation/conversation-answer.ts'
import { messagesTranslation } from '../../src/dialects/messages/messages-translation.ts'
import { upstreamServer } from '../upstream-server.ts'
import { answerContext } from './message-context.ts'

async function clientOf(steps: readonly ConversationEvent[]) {
  const { write } = messagesTranslation.writeEvents(answerContext())
  const text = steps.map((step) => write(step)).join('')
  const { origin } = await upstreamServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(text)
  })
  return new Anthropic({ baseURL: origin, apiKey: 'key', maxRetries: 0 })
}

const request = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] }
const start = { type: 'start', id: 'chatcmpl-1', model: 'gpt', created: 1 } as const
const call = { type: 'tool-call', callId: 'call_1', kind: 'function', name: 'f', input: '{"a":[1]}' } as const
const search = {
  type: 'search-call',
  id: 'ws_1',
  query: 'q',
  results: [{ url: 'https://example.com', title: 't' }],
} as const

describe('the SDK of Anthropic', () => {
  it('collects a stream that was written', async () => {
    const client = await clientOf([
      start,
      { type: 'ping' },
      { type: 'part', index: 0, part: { type: 'reasoning', text: '', summary: [] } },
      { type: 'text', index: 0, text: 'Think' },
      { type: 'part-end', index: 0, part: { type: 'reasoning', text: 'Think', summary: [] } },
      { type: 'part', index: 1, part: { type: 'search-call', id: 'ws_1', query: '' } },
      { type: 'part-end', index: 1, part: search },
      { type: 'part', index: 2, part: { type: 'text', text: '' } },
      { type: 'text', index: 2, text: 'Hel' },
      { type: 'text', index: 2, text: 'lo' },
      { type: 'annotation', index: 2, annotation: { url: 'https://example.com' } },
      { type: 'part-end', index: 2, part: { type: 'text', text: 'Hello' } },
      { type: 'part', index: 3, part: { ...call, input: '' } },
      { type: 'text', index: 3, text: '{"a":' },
      { type: 'text', index: 3, text: '[1]}' },
      { type: 'part-end', index: 3, part: call },
      { type: 'finish', ending: { reason: 'tool-calls' }, usage: { inputTokens: 7, outputTokens: 3, cachedTokens: 2 } },
    ])
    expect(await client.messages.stream(request).finalMessage()).toMatchObject({
      id: 'msg_chatcmpl-1',
      model: 'gpt',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Think', signature: expect.stringMatching(/^trivium\./) },
        { type: 'server_tool_use', id: 'srvtoolu_ws_1', name: 'web_search', input: { query: 'q' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_ws_1', content: [{ url: 'https://example.com' }] },
        { type: 'text', text: 'Hello', citations: [{ url: 'https://example.com' }] },
        { type: 'tool_use', id: 'call_1', name: 'f', input: { a: [1] } },
      ],
      usage: { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 3 },
    })
  })

  it('throws for an error in the stream', async () => {
    const client = await clientOf([
      start,
      {
        type: 'error',
        error: { type: 'refused', status: 529, message: 'Busy', retryable: true, beforeFirstByte: false },
      },
    ])
    await expect(client.messages.stream(request).finalMessage()).rejects.toThrow('overloaded_error')
  })
})
