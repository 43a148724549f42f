import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from '../server-process.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

const directory = mkdtempSync(join(tmpdir(), 'trivium-config-'))

describe('a file with each kind of upstream', () => {
  let upstream: FakeModelServer
  let server: ServerProcess
  let key: string

  beforeAll(async () => {
    upstream = await fakeModelServer('fake')
    const file = join(directory, 'config.yaml')
    writeFileSync(
      file,
      `
trivium_services: gateway
upstreams:
  - id: azure
    kind: openai
    base_url: $UPSTREAM_URL
    headers: { api-key: $AZURE_KEY }
    models: [gpt-5, 'ft:*']
    forward_headers: [openai-organization]
    parameters: { chat: { temperature: 0.5 } }
    model_rules:
      'ft:*': { parameters: { chat: { reasoning_effort: low } } }
  - id: claude
    kind: anthropic
    base_url: $UPSTREAM_URL
    api_key: $CLAUDE_KEY
    models: [opus]
    default_max_tokens: 77
  - id: sdk
    kind: ai-sdk
    package: '@ai-sdk/openai-compatible'
    options: { name: sdk, baseURL: $UPSTREAM_URL, apiKey: $SDK_KEY }
    models: [one, 'any-*']
    embedding_models: [vectors]
  - id: quiet
    kind: ai-sdk
    package: '@ai-sdk/openai-compatible'
    options: { name: quiet, baseURL: $UPSTREAM_URL, includeUsage: false }
    models: [one]
  - id: rules
    kind: local
models:
  fast: azure/gpt-5
  'old/*': azure/ft:*
  smart:
    targets: [{ model: sdk/one, weight: 0 }, rules/echo-no-llm]
    fallbacks: [{ model: fast, on: [error] }]
prices:
  azure/gpt-5: { input: 1000000, output: 1000000 }
cache: { ttl_seconds: 60, scope: key }
engines:
  - { kind: local, id: own }
`,
    )
    server = await startServer({
      args: ['--config', file],
      environment: { UPSTREAM_URL: upstream.url, AZURE_KEY: 'azure-1', CLAUDE_KEY: 'claude-1', SDK_KEY: 'sdk-1' },
    })
    key = await createKey(server, { rate_limit: 1000 })
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await upstream?.close()
    rmSync(directory, { recursive: true })
  })

  const chat = async (model: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    return { response, body: await response.text(), sent: upstream.requests.at(-1) }
  }

  const stream = (model: string) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'In parts' }] }),
    })

  it('calls an OpenAI-compatible upstream with its headers, its defaults and the headers that may pass', async () => {
    const { response, sent } = await chat('azure/gpt-5', { 'openai-organization': 'org-1', 'openai-project': 'p' })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-trivium-cost')).toBe('2')
    expect(sent?.headers).toMatchObject({ 'api-key': 'azure-1', 'openai-organization': 'org-1' })
    expect(sent?.headers).not.toHaveProperty('openai-project')
    expect(sent?.headers).not.toHaveProperty('authorization')
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ model: 'gpt-5', temperature: 0.5 })
  })

  it('accepts models of its globs that the upstream does not list, with their own rules, and refuses others', async () => {
    const { response, sent } = await chat('azure/ft:mine')
    expect(response.status).toBe(200)
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ model: 'ft:mine', reasoning_effort: 'low' })
    expect((await chat('azure/gpt-4')).response.status).toBe(404)
  })

  it('calls an Anthropic upstream', async () => {
    const { response, sent } = await chat('claude/opus')
    expect(response.status).toBe(200)
    expect(sent).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': 'claude-1' } })
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ max_tokens: 77 })
  })

  it.each(['sdk/one', 'sdk/any-model'])('calls %s through a package of the AI SDK', async (model) => {
    const { response, body, sent } = await chat(model)
    expect(response.status, body).toBe(200)
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer sdk-1' })
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ model: model.slice('sdk/'.length) })
  })

  it('serves embeddings of a package whose models for conversations have a glob', async () => {
    const response = await fetch(`${server.url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sdk/vectors', input: 'Hello' }),
    })
    expect(await response.json()).toMatchObject({ data: [{ embedding: [0.5, 0.25] }] })
  })

  it('requests the usage of streams through a package that needs an option for it, unless the file has it', async () => {
    for (const model of ['sdk/one', 'quiet/one']) await (await stream(model)).text()
    const [sdk, quiet] = upstream.requests.slice(-2).map(({ body }) => JSON.parse(body))
    expect(sdk).toMatchObject({ stream_options: { include_usage: true } })
    expect(quiet).not.toHaveProperty('stream_options')
  })

  it('answers by aliases, patterns and routes', async () => {
    expect(JSON.parse((await chat('old/x')).sent?.body ?? '')).toMatchObject({ model: 'ft:x' })
    const { body } = await chat('smart')
    expect(JSON.parse(body)).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
    await chat('fast')
    expect((await chat('fast')).response.headers.get('x-trivium-cache')).toBe('hit')
  })

  it('searches with the engines of the file', async () => {
    const health = await fetch(`${server.url}/health`)
    expect(await health.json()).toMatchObject({
      components: { providers: { azure: {}, claude: {}, sdk: {}, quiet: {}, rules: {} }, search: { own: {} } },
    })
    expect(server.output()).toContain('models of azure, claude, sdk, quiet, rules; search by own')
  })
})
