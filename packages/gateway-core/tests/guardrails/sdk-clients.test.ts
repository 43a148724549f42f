import Anthropic from '@anthropic-ai/sdk'
import { patternsGuardrail } from '@trivium/gateway-core'
import type { Dialect } from '@trivium/gateway-core/ports'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { dialectUpstream } from '../dialects/dialect-upstream.ts'
import { openGateway } from '../open-gateway.ts'
import { eventsOf, piecesOf } from './answer-scripts.ts'

const TEXT = 'Pay with 4111 1111 1111 1111, please'
const MASKED = 'Pay with [CARD], please'
const input = piecesOf('{"card":4111111111111111}', [4])

async function open(dialect: Dialect, action: 'mask' | 'block') {
  const server = await dialectUpstream(dialect, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(eventsOf(dialect, { text: piecesOf(TEXT, [3]), input }).join(''))
  })
  const opened = openGateway({
    providers: [server.provider],
    guardrails: [patternsGuardrail({ names: ['card'], action })],
  })
  const { secret: apiKey } = await opened.key()
  const options = { apiKey, fetch: opened.fetch, maxRetries: 0 }
  return {
    openAi: new OpenAI({ ...options, baseURL: 'http://gateway.test/v1' }),
    anthropic: new Anthropic({ ...options, baseURL: 'http://gateway.test' }),
  }
}

const user = { role: 'user', content: 'Hello' } as const

describe('the official clients', () => {
  it('read masked chat completions', async () => {
    const { openAi } = await open('chat', 'mask')
    const completion = await openAi.chat.completions.stream({ model: 'up/big', messages: [user] }).finalChatCompletion()
    expect(completion.choices[0]?.message.content).toBe(MASKED)
    expect(completion.choices[0]?.message.tool_calls).toMatchObject([{ function: { arguments: '{"card":"[CARD]"}' } }])
  })

  it('read masked responses', async () => {
    const { openAi } = await open('responses', 'mask')
    const response = await openAi.responses.stream({ model: 'up/big', input: 'Hello' }).finalResponse()
    expect(response.output_text).toBe(MASKED)
    expect(response.output[1]).toMatchObject({ arguments: '{"card":"[CARD]"}' })
  })

  it('read masked messages', async () => {
    const { anthropic } = await open('messages', 'mask')
    const message = await anthropic.messages
      .stream({ model: 'up/big', max_tokens: 100, messages: [user] })
      .finalMessage()
    expect(message.content).toMatchObject([
      { type: 'text', text: MASKED },
      { type: 'tool_use', input: { card: '[CARD]' } },
    ])
  })

  it('read streams that were blocked as ones that a filter has ended', async () => {
    const { openAi } = await open('chat', 'block')
    const chunks: OpenAI.ChatCompletionChunk[] = []
    const chat = await openAi.chat.completions.create({ model: 'up/big', messages: [user], stream: true })
    for await (const chunk of chat) chunks.push(chunk)
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('content_filter')
    const responses = (await open('responses', 'block')).openAi
    const events = await responses.responses.create({ model: 'up/big', input: 'Hello', stream: true })
    const types: string[] = []
    for await (const event of events) types.push(event.type)
    expect(types.at(-1)).toBe('response.incomplete')
    const { anthropic } = await open('messages', 'block')
    const message = await anthropic.messages
      .stream({ model: 'up/big', max_tokens: 100, messages: [user] })
      .finalMessage()
    expect(message.stop_reason).toBe('refusal')
    expect(JSON.stringify(message)).not.toContain('4111')
  })
})
