import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, streamText, type ToolSet } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from './server-process.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const base = { id: 'chatcmpl-1', created: 1700000000, model: 'm-1' }
const callWeather = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }
const callTime = { id: 'call_2', type: 'function', function: { name: 'time', arguments: '{}' } }

/** Calls two tools in one answer, and answers with text once it has their results. */
function answerOf(body: string): {
  readonly whole: unknown
  readonly deltas: readonly unknown[]
  readonly finish: string
} {
  if (body.includes('"role":"tool"')) {
    const message = { role: 'assistant', content: 'Sunny in Paris at noon.', refusal: null }
    return {
      whole: message,
      deltas: [{ role: 'assistant', content: '' }, { content: 'Sunny in ' }, { content: 'Paris at noon.' }],
      finish: 'stop',
    }
  }
  const part = (index: number, text: string) => ({ tool_calls: [{ index, function: { arguments: text } }] })
  return {
    whole: { role: 'assistant', content: null, refusal: null, tool_calls: [callWeather, callTime] },
    deltas: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, ...callWeather, function: { name: 'weather', arguments: '' } }],
      },
      part(0, '{"ci'),
      part(0, 'ty":"Paris"}'),
      { tool_calls: [{ index: 1, ...callTime }] },
    ],
    finish: 'tool_calls',
  }
}

const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 }

describe.each(['fastify', 'express', 'fetch'] as const)('unmodified clients over %s', (transport) => {
  let upstream: Upstream
  let server: ServerProcess
  let key: string

  beforeAll(async () => {
    upstream = await startUpstream(({ path, body }, response) => {
      if (path.endsWith('/models')) {
        response.setHeader('content-type', 'application/json')
        return void response.end(
          '{"object":"list","data":[{"id":"m-1","object":"model","created":1,"owned_by":"them"}]}',
        )
      }
      const { whole, deltas, finish } = answerOf(body)
      if (!body.includes('"stream":true')) {
        response.setHeader('content-type', 'application/json')
        const choices = [{ index: 0, message: whole, logprobs: null, finish_reason: finish }]
        return void response.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }))
      }
      response.setHeader('content-type', 'text/event-stream')
      const event = (fields: object) =>
        response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...fields })}\n\n`)
      for (const delta of deltas) event({ choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] })
      event({ choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finish }] })
      event({ choices: [], usage })
      response.end('data: [DONE]\n\n')
    })
    server = await startServer({ transport, environment: { OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' } })
    key = await createKey(server, { rate_limit: 1000 })
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await upstream?.close()
  })

  it("run tools to the end with openai's streaming helper", async () => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: key, maxRetries: 0 })
    const called: string[] = []
    const define = (name: string, parameters: Record<string, unknown>) => ({
      type: 'function' as const,
      function: {
        name,
        description: name,
        parameters,
        parse: JSON.parse,
        function: (input: unknown) => {
          called.push(`${name} ${JSON.stringify(input)}`)
          return 'fine'
        },
      },
    })
    const city = { type: 'object', properties: { city: { type: 'string' } } }
    const runner = client.chat.completions.runTools({
      model: 'openai/m-1',
      stream: true,
      messages: [{ role: 'user', content: 'Weather and time in Paris?' }],
      tools: [define('weather', city), define('time', { type: 'object', properties: {} })],
    })
    expect(await runner.finalContent()).toBe('Sunny in Paris at noon.')
    expect(called).toEqual(['weather {"city":"Paris"}', 'time {}'])
  })

  const sdk = () =>
    createOpenAICompatible({ name: 'trivium', baseURL: `${server.url}/v1`, apiKey: key, includeUsage: true })(
      'openai/m-1',
    )
  const tools: ToolSet = {
    weather: {
      description: 'weather',
      inputSchema: jsonSchema({ type: 'object', properties: { city: { type: 'string' } } }),
    },
    time: { description: 'time', inputSchema: jsonSchema({ type: 'object', properties: {} }) },
  }

  it('call tools with the AI SDK', async () => {
    const { toolCalls, usage: counted, finishReason } = await generateText({ model: sdk(), prompt: 'Weather?', tools })
    expect(toolCalls).toMatchObject([
      { toolName: 'weather', input: { city: 'Paris' } },
      { toolName: 'time', input: {} },
    ])
    expect(counted).toMatchObject({ inputTokens: 9, outputTokens: 2 })
    expect(finishReason).toBe('tool-calls')
  })

  it('stream with the AI SDK', async () => {
    const result = streamText({
      model: sdk(),
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: { city: 'Paris' } }],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_1', toolName: 'weather', output: { type: 'text', value: 'sun' } },
          ],
        },
      ],
      tools,
    })
    expect(await result.text).toBe('Sunny in Paris at noon.')
    expect(await result.usage).toMatchObject({ inputTokens: 9, outputTokens: 2 })
    expect(await result.finishReason).toBe('stop')
  })

  it("receive from a limit the waiting time for openai's own retry", async () => {
    const waits: number[] = []
    const limited = await createKey(server, { username: 'retry', rate_limit: 1 })
    const client = new OpenAI({
      baseURL: `${server.url}/v1`,
      apiKey: limited,
      maxRetries: 1,
      // The client would sleep for the whole time of the header, so the test shortens it.
      fetch: async (url, options) => {
        const response = await fetch(url, options)
        if (response.status !== 429) return response
        waits.push(Number(response.headers.get('retry-after')))
        const headers = new Headers(response.headers)
        headers.set('retry-after-ms', '1')
        return new Response(response.body, { status: 429, headers })
      },
    })
    await client.models.list()
    await expect(client.models.list()).rejects.toMatchObject({ status: 429 })
    expect(waits).toHaveLength(2)
    for (const wait of waits) {
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60)
    }
  })
})
