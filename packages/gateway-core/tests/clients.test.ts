import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { localProvider } from '@trivium/local-provider'
import { openAiProvider } from '@trivium/openai-provider'
import { generateText, jsonSchema, streamText, tool } from 'ai'
import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from 'openai'
import { describe, expect, it, vi } from 'vitest'
import { fakeUpstream } from './fake-upstream.ts'
import { serveGateway, transports } from './serve-gateway.ts'

const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'Reports the weather of a city',
    parameters: { type: 'object' as const, properties: { city: { type: 'string' as const } }, required: ['city'] },
  },
}

const script = [
  {
    when: /weather in Paris/,
    reply: { type: 'tool-calls', calls: [{ name: 'weather', arguments: { city: 'Paris' } }] },
  },
  { when: '21 degrees', reply: { type: 'text', text: 'It is warm in Paris.' } },
] as const

describe.each(transports)('over %s', (transport) => {
  const start = async (rateLimit = 1_000) => {
    const served = await serveGateway(transport, { providers: [localProvider({ script })] })
    const { secret } = (await served.gateway.apiKeys.generate({ username: 'ada', rateLimit }))._unsafeUnwrap()
    const client = new OpenAI({ apiKey: secret, baseURL: `${served.url}/v1`, maxRetries: 0 })
    return { ...served, secret, client }
  }
  const hello = { model: 'local/echo-no-llm', messages: [{ role: 'user' as const, content: 'Hello, wide world!' }] }

  describe('the openai client', () => {
    it('creates a completion and returns the id of its request', async () => {
      const { client } = await start()
      const { data, response, request_id: id } = await client.chat.completions.create(hello).withResponse()
      expect(data.choices[0]?.message.content).toBe('Hello, wide world!')
      expect(data.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 3 })
      expect(id).toBe(response.headers.get('x-request-id'))
    })

    it('streams a completion, with usage where it requests it', async () => {
      const { client } = await start()
      let text = ''
      let usage: unknown
      const stream = await client.chat.completions.create({
        ...hello,
        stream: true,
        stream_options: { include_usage: true },
      })
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? ''
        usage = chunk.usage ?? usage
      }
      expect(text).toBe('Hello, wide world!')
      expect(usage).toMatchObject({ total_tokens: 6 })
    })

    it('runs tools through its streaming helper', async () => {
      const { client } = await start()
      const runner = client.chat.completions.runTools({
        model: 'scripted-no-llm',
        stream: true,
        messages: [{ role: 'user', content: 'the weather in Paris?' }],
        tools: [
          {
            ...weather,
            function: {
              ...weather.function,
              parse: JSON.parse,
              function: async ({ city }: { city: string }) => `21 degrees in ${city}`,
            },
          },
        ],
      })
      expect(await runner.finalContent()).toBe('It is warm in Paris.')
      expect(await runner.finalFunctionToolCall()).toEqual({ name: 'weather', arguments: '{"city":"Paris"}' })
    })

    it('lists and reads models, and creates images', async () => {
      const { client, url } = await start()
      const ids: string[] = []
      for await (const { id } of client.models.list()) ids.push(id)
      expect(ids).toContain('local/echo-no-llm')
      expect((await client.models.retrieve('local/echo-no-llm')).owned_by).toContain('no language model')
      const inline = await client.images.generate({ prompt: 'a cat', size: '256x256', response_format: 'b64_json' })
      expect(
        Buffer.from(inline.data?.[0]?.b64_json ?? '', 'base64')
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG')
      const { data } = await client.images.generate({ prompt: 'a cat', size: '256x256', n: 2 })
      expect(data).toHaveLength(2)
      const file = await fetch(data?.[0]?.url ?? '')
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(data?.[0]?.url?.startsWith(url)).toBe(true)
    })

    it('gets typed errors with code, type and param', async () => {
      const { client, url } = await start(1)
      const unknownClient = new OpenAI({ apiKey: `tvm_${'a'.repeat(43)}`, baseURL: `${url}/v1`, maxRetries: 0 })
      const error = (promise: PromiseLike<unknown>) =>
        promise.then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
      const unauthorised = await error(unknownClient.chat.completions.create(hello))
      expect(unauthorised).toBeInstanceOf(AuthenticationError)
      expect(unauthorised).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'invalid_request_error' })
      const unknown = await error(client.chat.completions.create({ ...hello, model: 'gpt-99' }))
      expect(unknown).toBeInstanceOf(NotFoundError)
      expect(unknown).toMatchObject({ code: 'model_not_found', param: 'model' })
      const bad = await error(client.chat.completions.create({ ...hello, temperature: 3 }))
      expect(bad).toBeInstanceOf(BadRequestError)
      expect(bad).toMatchObject({ param: 'temperature', code: 'invalid_value' })
      await client.chat.completions.create(hello)
      const limited = await error(client.chat.completions.create(hello))
      expect(limited).toBeInstanceOf(RateLimitError)
      expect(limited).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'requests' })
    })

    it('waits for the time of a refusal, and then succeeds', async () => {
      const { client, advance, gateway } = await start(1)
      let refusals = 0
      gateway.events.on('limit.exceeded', () => {
        refusals += 1
      })
      await client.chat.completions.create(hello)
      advance(59_700)
      const again = await client.chat.completions.create(hello, { maxRetries: 1 })
      expect(again.choices[0]?.message.content).toBe('Hello, wide world!')
      expect(refusals).toBe(1)
    })
  })

  describe("the AI SDK's compatible provider", () => {
    const open = async () => {
      const { url, secret } = await start()
      return createOpenAICompatible({ name: 'trivium', baseURL: `${url}/v1`, apiKey: secret, includeUsage: true })
    }
    const tools = {
      weather: tool({
        inputSchema: jsonSchema<{ city: string }>(weather.function.parameters),
        execute: async ({ city }) => `21 degrees in ${city}`,
      }),
    }

    it('generates and streams text', async () => {
      const provider = await open()
      const whole = await generateText({ model: provider('local/echo-no-llm'), prompt: 'Hello, wide world!' })
      expect([whole.text, whole.finishReason]).toEqual(['Hello, wide world!', 'stop'])
      const streamed = streamText({ model: provider('local/echo-no-llm'), prompt: 'Hello, wide world!' })
      expect(await streamed.text).toBe('Hello, wide world!')
      expect((await streamed.usage).outputTokens).toBe(3)
    })

    it('calls tools, with complete and with streamed answers', async () => {
      const model = (await open())('local/scripted-no-llm')
      const whole = await generateText({ model, tools, prompt: 'the weather in Paris?' })
      expect(whole.toolCalls).toMatchObject([{ toolName: 'weather', input: { city: 'Paris' } }])
      const streamed = streamText({ model, tools, prompt: 'the weather in Paris?' })
      expect(await streamed.toolResults).toMatchObject([{ output: '21 degrees in Paris' }])
    })
  })

  describe('an upstream over HTTP', () => {
    const startWith = async (answer: Parameters<typeof fakeUpstream>[0]) => {
      const baseUrl = await fakeUpstream(answer)
      const provider = openAiProvider({ baseUrl, apiKey: 'sk-upstream-secret', models: ['gpt-test'] })
      const served = await serveGateway(transport, { providers: [provider], retries: { retries: 0 } })
      const { secret } = (await served.gateway.apiKeys.generate({ username: 'ada', rateLimit: 1_000 }))._unsafeUnwrap()
      const ask = (body: object, signal?: AbortSignal) =>
        fetch(`${served.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'openai/gpt-test', messages: [{ role: 'user', content: 'Hi' }], ...body }),
          ...(signal ? { signal } : {}),
        })
      return { ...served, secret, ask }
    }

    it('sends a stream that is relayed byte for byte, in pieces of any size', async () => {
      const events = [
        ': hello\r\n\r\n',
        'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n',
        ...Array.from(
          { length: 200 },
          (_, index) => `data: {"id":"c","choices":[{"index":0,"delta":{"content":"é🔑${index}"}}]}\r\n\r\n`,
        ),
        `data: {"id":"c","choices":[{"index":0,"delta":{"content":"${'x'.repeat(200_000)}"}}]}\n\n`,
        'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
        'data: {"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}\n\n',
        'data: [DONE]\n\n',
      ]
      const { ask } = await startWith(async ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const bytes = Buffer.from(events.join(''))
        for (let start = 0; start < bytes.length; start += 997) response.write(bytes.subarray(start, start + 997))
        response.end()
      })
      const answer = await ask({ stream: true, stream_options: { include_usage: true } })
      expect(await answer.text()).toBe(events.join(''))
    })

    it('loses its connection when the client disconnects: before the first byte, inside a stream, and without a stream', async () => {
      for (const phase of ['before', 'middle', 'whole'] as const) {
        const reached = Promise.withResolvers<void>()
        const closed = Promise.withResolvers<void>()
        const { ask } = await startWith(({ request, response }) => {
          response.on('close', () => closed.resolve())
          if (phase === 'middle') {
            response.writeHead(200, { 'content-type': 'text/event-stream' })
            response.write('data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n')
          }
          request.resume()
          reached.resolve()
        })
        const controller = new AbortController()
        const answer = ask({ stream: phase !== 'whole' }, controller.signal)
        answer.catch(() => undefined)
        await reached.promise
        if (phase === 'middle') await (await answer).body?.getReader().read()
        controller.abort()
        await closed.promise
      }
    })

    it('makes the client throw where its answer is cut, instead of returning a short answer', async () => {
      const { url, secret } = await startWith(({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {"choices":[{"index":0,"delta":{"content":"Once upon"}}]}\n\n')
        setImmediate(() => response.destroy())
      })
      const client = new OpenAI({ apiKey: secret, baseURL: `${url}/v1`, maxRetries: 0 })
      const read = async () => {
        for await (const _ of await client.chat.completions.create({
          model: 'gpt-test',
          stream: true,
          messages: [{ role: 'user', content: 'x' }],
        }));
      }
      const thrown = await read().catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(APIError)
      expect(thrown).toMatchObject({ code: 'upstream_incomplete' })
    })

    it('never receives an answer with its own key', async () => {
      const { ask } = await startWith(({ request, response }) => {
        response.writeHead(401, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({ error: { message: `Incorrect API key provided: ${request.headers.authorization}` } }),
        )
      })
      for (const stream of [false, true]) {
        const answer = await ask({ stream })
        expect([answer.status, await answer.text()]).toEqual([502, expect.not.stringContaining('sk-upstream')])
      }
    })

    it('passes its own error to the openai client', async () => {
      const { url, secret } = await startWith(({ response }) => {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({
            error: {
              message: 'Too long',
              type: 'invalid_request_error',
              param: 'messages',
              code: 'context_length_exceeded',
            },
          }),
        )
      })
      const client = new OpenAI({ apiKey: secret, baseURL: `${url}/v1` })
      const completion = client.chat.completions.create({
        model: 'gpt-test',
        messages: [{ role: 'user', content: 'x' }],
      })
      await expect(completion).rejects.toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
        param: 'messages',
      })
    })
  })
})

vi.setConfig({ testTimeout: 15_000 })
