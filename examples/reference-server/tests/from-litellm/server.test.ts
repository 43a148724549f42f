import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { translate } from '../../src/from-litellm/translate.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { startUpstream, type Upstream } from '../upstream.ts'

const directory = mkdtempSync(join(tmpdir(), 'trivium-from-litellm-'))

/** Answers a chat with the name of the upstream and the model. */
const answering = (name: string): Promise<Upstream> =>
  startUpstream(({ body }, response) => {
    const { model } = JSON.parse(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [{ index: 0, message: { role: 'assistant', content: `${name} ${model}` }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    )
  })

const refusing = (status: number, error: object): Promise<Upstream> =>
  startUpstream((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  })

describe('a server with a translated file', () => {
  const upstreams: Upstream[] = []
  let server: ServerProcess

  beforeAll(async () => {
    const [good, broken, short] = await Promise.all([
      answering('good'),
      refusing(500, { message: 'Broken', type: 'server_error' }),
      refusing(400, { message: 'Too long', type: 'invalid_request_error', code: 'context_length_exceeded' }),
    ])
    upstreams.push(good, broken, short)
    const source = join(directory, 'config.yaml')
    writeFileSync(
      source,
      `
model_list:
  - model_name: main
    litellm_params: { model: openai/gpt-a, api_base: "${broken.url}", api_key: os.environ/BROKEN_KEY }
  - model_name: short
    litellm_params: { model: openai/gpt-s, api_base: "${short.url}", api_key: os.environ/SHORT_KEY }
  - model_name: spare
    litellm_params: { model: hosted_vllm/org/spare, api_base: "${good.url}", api_key: sk-of-the-good-one, temperature: 0.5 }
  - model_name: "free-*"
    litellm_params: { model: "hosted_vllm/*", api_base: "${good.url}", api_key: sk-of-the-good-one }
router_settings:
  num_retries: 0
  model_group_alias: { everyday: main }
  fallbacks: [{ main: [spare] }, { spare: [main] }]
  context_window_fallbacks: [{ short: [spare] }]
`,
    )
    const file = join(directory, 'trivium.yaml')
    writeFileSync(file, translate(source).text, { mode: 0o600 })
    server = await startServer({
      args: ['--config', file],
      environment: {
        BROKEN_KEY: 'sk-broken',
        SHORT_KEY: 'sk-short',
        HOSTED_VLLM_API_KEY: 'sk-of-the-good-one',
        TRIVIUM_SERVICES: 'gateway',
      },
    })
  }, 120_000)

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await Promise.all(upstreams.map((upstream) => upstream.close()))
    rmSync(directory, { recursive: true, force: true })
  })

  const chat = async (model: string) => {
    const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
    const response = await server.ask('/v1/chat/completions', { method: 'POST', body })
    const { choices, error } = await response.json()
    return choices?.[0].message.content ?? error
  }

  it('chats through an alias whose model fails, by the fallback', async () => {
    expect(await chat('everyday')).toBe('good org/spare')
    const [request] = upstreams[0]?.requests.filter(({ body }) => body.includes('org/spare')) ?? []
    expect(request?.headers.authorization).toBe('Bearer sk-of-the-good-one')
    expect(JSON.parse(request?.body ?? '{}')).toMatchObject({ temperature: 0.5 })
  })

  it('chats by the fallback for long requests', async () => {
    expect(await chat('short')).toBe('good org/spare')
  })

  it('chats through a name with a star', async () => {
    expect(await chat('free-thing')).toBe('good thing')
  })
})
