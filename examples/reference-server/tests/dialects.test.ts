import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from './server-process.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const response = { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm-1', output: [] }
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm-1',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 1 },
}

describe('upstreams of the settings', () => {
  let upstream: Upstream
  let server: ServerProcess
  let key: string

  beforeAll(async () => {
    upstream = await startUpstream(({ path }, answer) => {
      answer.setHeader('content-type', 'application/json')
      answer.end(JSON.stringify(path.endsWith('/messages') ? message : response))
    })
    server = await startServer({
      environment: {
        TRIVIUM_SERVICES: 'gateway',
        OPENAI_BASE_URL: upstream.url,
        OPENAI_MODELS: 'm-1',
        OPENAI_DIALECTS: 'responses',
        ANTHROPIC_BASE_URL: upstream.url,
        ANTHROPIC_MODELS: 'm-1',
        ANTHROPIC_CACHE_BREAKPOINTS: '1',
        TRIVIUM_FORWARD_HEADERS: 'openai-organization',
      },
    })
    key = await createKey(server)
  }, 60_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await upstream?.close()
  })

  const ask = (path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'openai-organization': 'org-1',
        'openai-project': 'proj-1',
      },
      body: JSON.stringify(body),
    })

  it('calls them in their dialect, with the headers that may pass', async () => {
    expect((await ask('/v1/responses', { model: 'openai/m-1', input: 'Hi' })).status).toBe(200)
    const { path, headers } = upstream.requests.at(-1) ?? {}
    expect(path).toBe('/v1/responses')
    expect(headers).toMatchObject({ 'openai-organization': 'org-1' })
    expect(headers).not.toHaveProperty('openai-project')
  })

  it('marks the prompt cache where the settings request it', async () => {
    const messages = [{ role: 'user', content: 'Hi' }]
    expect((await ask('/v1/chat/completions', { model: 'anthropic/m-1', messages })).status).toBe(200)
    expect(JSON.parse(upstream.requests.at(-1)?.body ?? '').messages[0].content[0]).toMatchObject({
      cache_control: { type: 'ephemeral' },
    })
  })
})
