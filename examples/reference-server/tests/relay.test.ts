import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from './server-process.ts'
import { chunk, startUpstream, type Upstream } from './upstream.ts'

const usage = `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m-1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}\n\n`
const whole = `: a comment\n\n${chunk('Hel')}${chunk('lo — ünï')}${chunk('', 'stop')}${usage}data: [DONE]\n\n`

describe.each(['fastify', 'express', 'fetch'] as const)('the relay of an upstream over %s', (transport) => {
  let upstream: Upstream
  let server: ServerProcess
  let key: string

  beforeAll(async () => {
    upstream = await startUpstream((request, response) => {
      if (request.path.endsWith('/models')) {
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({ object: 'list', data: [{ id: 'm-1', object: 'model', created: 1, owned_by: 'them' }] }),
        )
      } else if (request.body.includes('"stream":true')) {
        response.setHeader('content-type', 'text/event-stream')
        if (request.body.includes('endless')) response.write(chunk('first'))
        else response.end(whole)
      } else if (request.body.includes('refuse')) {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({
            error: {
              message: 'too long',
              type: 'invalid_request_error',
              param: 'messages',
              code: 'context_length_exceeded',
            },
          }),
        )
      } else {
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({
            id: 'chatcmpl-2',
            object: 'chat.completion',
            created: 1,
            model: 'm-1',
            choices: [
              {
                index: 0,
                message: { role: 'assistant', content: 'whole', refusal: null },
                logprobs: null,
                finish_reason: 'stop',
              },
            ],
            usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
          }),
        )
      }
    })
    server = await startServer({
      transport,
      environment: { OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'sk-upstream-secret' },
    })
    key = await createKey(server, { rate_limit: 1000 })
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await upstream?.close()
  })

  const ask = (content: string, fields: object = {}, signal?: AbortSignal) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai/m-1', messages: [{ role: 'user', content }], ...fields }),
      ...(signal ? { signal } : {}),
    })

  it('forwards a stream byte for byte', async () => {
    const response = await ask('hello', { stream: true, stream_options: { include_usage: true } })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await response.text()).toBe(whole)
  })

  it('requests usage itself, and removes it where the client did not request it', async () => {
    const response = await ask('hello', { stream: true })
    expect(await response.text()).toBe(whole.replace(usage, ''))
    expect(JSON.parse(upstream.requests.at(-1)?.body ?? '')).toMatchObject({ stream_options: { include_usage: true } })
  })

  it("sends neither the client's key to the upstream nor the upstream's key to the client", async () => {
    const response = await ask('hello')
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-upstream-secret')
    expect(JSON.stringify([...response.headers]) + (await response.text())).not.toContain('sk-upstream-secret')
  })

  it('serves the official client with completions, streams and errors', async () => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: key, maxRetries: 0 })
    const request = { model: 'openai/m-1', messages: [{ role: 'user' as const, content: 'hi' }] }
    expect((await client.chat.completions.create(request)).choices[0]?.message.content).toBe('whole')
    const final = await client.chat.completions.stream(request).finalContent()
    expect(final).toBe('Hello — ünï')
    expect((await Array.fromAsync(await client.models.list())).map(({ id }) => id)).toContain('openai/m-1')
    const refused = client.chat.completions.create({ ...request, messages: [{ role: 'user', content: 'refuse' }] })
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'messages' })
  })

  it('closes the request to the upstream when the client disconnects in the middle of a stream', async () => {
    const controller = new AbortController()
    const response = await ask('endless', { stream: true }, controller.signal)
    const reader = response.body?.getReader()
    await reader?.read()
    const cut = upstream.cut()
    controller.abort()
    await cut
  })

  it('accounts the tokens of a stream that was cut off', async () => {
    const response = await server.ask('/v1/usage')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('m-1')
  })
})
