import Anthropic from '@anthropic-ai/sdk'
import { openAiProvider } from '@trivium/openai-provider'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { fakeUpstream, type UpstreamExchange } from './fake-upstream.ts'
import { pagesEngine } from './searching-model.ts'
import { serveGateway } from './serve-gateway.ts'

const CITED = 'They learn [1](https://example.com/switches) alone.'

describe('web search over a chat upstream on a socket', () => {
  const sse = (...chunks: readonly unknown[]) =>
    `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
  const chunk = (delta: object, reason: string | null = null) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'big-2026',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'web_search', arguments: '{"query":"learn"}' },
  }
  const searching = sse(chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'))

  const serve = async (answer: (exchange: UpstreamExchange, round: number) => void) => {
    let rounds = 0
    const baseUrl = await fakeUpstream((exchange) => {
      rounds += 1
      exchange.response.writeHead(200, { 'content-type': 'text/event-stream' })
      answer(exchange, rounds)
    })
    const served = await serveGateway('express', {
      providers: [openAiProvider({ id: 'up', baseUrl, models: ['big'] })],
      searchEngines: [pagesEngine()],
    })
    const { secret } = (await served.gateway.apiKeys.generate({ username: 'ada', rateLimit: 100 }))._unsafeUnwrap()
    return { ...served, secret }
  }

  it('gives the official client of Anthropic a server tool, its result and citations', async () => {
    const { url, secret } = await serve(({ response }, round) => {
      response.end(round === 1 ? searching : sse(chunk({ content: CITED }), chunk({}, 'stop')))
    })
    const anthropic = new Anthropic({ apiKey: secret, baseURL: url, maxRetries: 0 })
    const { content, stop_reason: reason } = await anthropic.messages
      .stream({
        model: 'up/big',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'How?' }],
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      })
      .finalMessage()
    expect(reason).toBe('end_turn')
    expect(content).toMatchObject([
      { type: 'server_tool_use', name: 'web_search', input: { query: 'learn' } },
      { type: 'web_search_tool_result', content: [{ url: 'https://example.com/switches' }, {}] },
      { type: 'text', text: CITED, citations: [{ type: 'web_search_result_location', title: 'Switches' }] },
    ])
  })

  it('ends the upstream of a later round where the client disconnects', async () => {
    let closed: (() => void) | undefined
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const { url, secret } = await serve(({ response }, round) => {
      if (round === 1) response.end(searching)
      else {
        response.on('close', () => closed?.())
        response.write(`data: ${JSON.stringify(chunk({ content: 'Slowly' }))}\n\n`)
      }
    })
    const openai = new OpenAI({ apiKey: secret, baseURL: `${url}/v1`, maxRetries: 0 })
    const stream = openai.responses.stream({ model: 'up/big', input: 'How?', tools: [{ type: 'web_search' }] })
    for await (const { type } of stream) if (type === 'response.output_text.delta') break
    stream.abort()
    await isClosed
  })

  it('ends with an error where a later round is cut', async () => {
    const { url, secret } = await serve(({ response }, round) => {
      if (round === 1) response.end(searching)
      else response.write(`data: ${JSON.stringify(chunk({ content: 'Hal' }))}\n\n`, () => response.destroy())
    })
    const openai = new OpenAI({ apiKey: secret, baseURL: `${url}/v1`, maxRetries: 0 })
    const events = await openai.responses.create({
      model: 'up/big',
      input: 'How?',
      tools: [{ type: 'web_search' }],
      stream: true,
    })
    const read = async () => {
      const types: string[] = []
      for await (const { type } of events) types.push(type)
      return types
    }
    await expect(read()).rejects.toThrow()
  })
})
