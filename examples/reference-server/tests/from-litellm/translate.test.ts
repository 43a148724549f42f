import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { translate } from '../../src/from-litellm/translate.ts'
import { FILES, fileNames, readBack, translated } from './translated.ts'

const translation = (name: string) => translate(join(FILES, `${name}.yaml`))
const fileOf = (name: string): Record<string, unknown> => parse(translation(name).text) ?? {}
const reportOf = (name: string, finding?: string) =>
  translation(name).report.flatMap((line) => (finding === undefined || line.finding === finding ? [line.path] : []))

describe('a translated file', () => {
  it.each(fileNames)('satisfies the server: %s', (name) => {
    const { text } = translate(join(FILES, name))
    expect(readBack(text).sections).toBeTypeOf('object')
  })

  it('has an alias for a single model', () => {
    expect(fileOf('one-model')).toEqual({
      upstreams: [
        {
          id: 'openai',
          kind: 'openai',
          base_url: 'https://api.openai.com/v1',
          api_key: '$OPENAI_API_KEY',
          models: ['gpt-5-mini'],
        },
      ],
      models: { chat: 'openai/gpt-5-mini' },
    })
    expect(reportOf('one-model')).toEqual([])
  })

  it('balances entries with the same name by their rates', () => {
    const { models, upstreams, retries, timeouts, circuit } = fileOf('balanced')
    expect(models).toEqual({
      'gpt-4o': {
        targets: [
          { model: 'azure/gpt-4o-north', weight: 3 },
          { model: 'azure-2/gpt-4o-south', weight: 1 },
          { model: 'openai/gpt-4o', weight: 1 },
        ],
      },
    })
    expect(upstreams).toMatchObject([
      {
        base_url: 'https://north.openai.azure.com/openai/v1',
        headers: { 'api-key': '$AZURE_NORTH_KEY' },
        timeouts: { total_seconds: 60, first_byte_seconds: 20 },
      },
      { base_url: 'https://south.openai.azure.com/openai/v1', max_parallel_requests: 40 },
      { api_key: '$OPENAI_API_KEY', retries: { retries: 4 } },
    ])
    expect([retries, timeouts, circuit]).toEqual([
      { retries: 2 },
      { total_seconds: 120 },
      { failures: 4, cool_down_seconds: 45 },
    ])
  })

  it('has fallbacks by what failed, and leads no route to itself', () => {
    const { models } = fileOf('fallbacks')
    expect(models).toMatchObject({
      fast: 'small',
      'hidden-name': 'large',
      small: {
        fallbacks: [
          { model: 'large', on: ['error', 'rate_limit'] },
          { model: 'long', on: ['context_length'] },
        ],
      },
      large: {
        fallbacks: [
          { model: 'groq/llama-3.3-70b-versatile', on: ['error', 'rate_limit', 'refusal'] },
          { model: 'long', on: ['context_length'] },
        ],
      },
      long: { fallbacks: [{ model: 'groq/llama-3.3-70b-versatile', on: ['error', 'rate_limit'] }] },
    })
    expect(reportOf('fallbacks', 'left out')).toContain('litellm_settings.content_policy_fallbacks[0].large[1]')
  })

  it('keeps names with a star, and resolves names that they match', () => {
    const { models, upstreams } = fileOf('wildcards')
    expect(models).toMatchObject({
      '*': 'openrouter/*',
      'claude-*': 'anthropic/claude-*',
      'openai/gpt-5': { targets: [{ model: 'openai/gpt-5' }], fallbacks: [{ model: 'claude-opus-4-5' }] },
      'claude-opus-4-5': 'anthropic/claude-opus-4-5',
    })
    expect(upstreams).toMatchObject([{ models: ['*'] }, { models: ['claude-*'] }, { models: ['*'] }])
    expect(reportOf('only-star', 'left out')).toEqual(['model_list[0]'])
  })

  it('uses packages of the AI SDK for clouds, and names what to install', () => {
    const { upstreams } = fileOf('clouds')
    expect(upstreams).toMatchObject([
      {
        package: '@ai-sdk/google-vertex',
        options: { project: 'my-project', googleAuthOptions: { keyFilename: '/etc/keys/vertex.json' } },
      },
      { package: '@ai-sdk/google-vertex/anthropic' },
      {
        package: '@ai-sdk/amazon-bedrock',
        options: { region: '$AWS_REGION' },
        embedding_models: ['amazon.titan-embed-text-v2:0'],
      },
      { base_url: 'https://mistral.eastus.models.ai.azure.com/v1' },
      { base_url: '$AZURE_API_BASE', headers: { 'api-key': '$AZURE_API_KEY' } },
    ])
    const { report } = translation('clouds')
    const installs = report.filter(({ text }) => text.includes('npm install')).map(({ line }) => line)
    expect(installs).toEqual([2, 6])
    expect(reportOf('clouds', 'left out')).toContain('model_list[5]')
  })

  it('has prices for a million tokens, exactly', () => {
    expect(fileOf('prices').prices).toEqual({
      'mistral/mistral-large-latest': {
        input: '2',
        output: '6',
        cached_input: '0.2',
        cache_write: '2.5',
        long: { above: 200000, input: '4', output: '12' },
      },
      'openai/whisper-1': { audio_minute: '0.006' },
    })
    expect(reportOf('prices', 'left out')).toEqual(
      expect.arrayContaining([
        'model_list[0].model_info.owner',
        'model_list[1].model_info.output_cost_per_second',
        'model_list[2].litellm_params.input_cost_per_token',
      ]),
    )
  })

  it('has two upstreams where a model is called in two ways', () => {
    const { models, upstreams } = fileOf('defaults-of-requests')
    expect(models).toMatchObject({ careful: 'openai/gpt-5', creative: 'openai-2/gpt-5' })
    expect(upstreams).toMatchObject([
      {
        parameters: {
          chat: { temperature: 0, seed: 7, max_completion_tokens: 2000 },
          responses: { max_output_tokens: 2000, reasoning: { effort: 'high' } },
        },
      },
      { parameters: { chat: { temperature: 1.2 } } },
      { parameters: { messages: { stop_sequences: ['END'], thinking: { type: 'enabled', budget_tokens: 4096 } } } },
      { headers: { 'x-title': 'example' }, parameters: { chat: { provider: { order: ['groq'] } } } },
    ])
    expect(reportOf('defaults-of-requests', 'left out')).toEqual(
      expect.arrayContaining(['model_list[1].litellm_params.n', 'model_list[2].litellm_params.frequency_penalty']),
    )
  })

  it('adds the weights of entries that are the same', () => {
    const { models } = fileOf('duplicates')
    expect(models).toMatchObject({ twin: { targets: [{ weight: 5 }, { weight: 5 }], pick: 'cost' } })
  })

  it('follows anchors and merge keys, and reports what only an anchor has', () => {
    const { upstreams, models } = fileOf('anchors')
    expect(upstreams).toMatchObject([
      {
        api_key: '$TOGETHERAI_API_KEY',
        model_rules: { 'meta-llama/Llama-3.1-8B-Instruct-Turbo': { timeouts: { total_seconds: 50 } } },
      },
      { api_key: '$XAI_API_KEY' },
    ])
    expect(models).toMatchObject({ llama: { targets: [{ priority: 3 }, { priority: 2 }] } })
    const left = reportOf('anchors', 'left out')
    expect(left).toEqual(expect.arrayContaining(['defaults.note', 'model_list[0].litellm_params.note']))
    expect(left).not.toContain('defaults.api_key')
  })

  it('has the cache, the log, guardrails and engines of a whole proxy', () => {
    expect(fileOf('whole-proxy')).toMatchObject({
      trivium_admin_password: '$LITELLM_MASTER_KEY',
      database_url: '$DATABASE_URL',
      redis_url: '$REDIS_URL',
      trivium_usage_days: 90,
      models: { default: 'openai/gpt-5', shared: 'deepseek/deepseek-chat' },
      upstreams: [
        { api_key: '$TEAM_KEY', models: ['gpt-5', 'omni-moderation-latest'] },
        { id: 'deepseek', max_parallel_requests: 200 },
      ],
      cache: { ttl_seconds: 3600, scope: 'key' },
      request_log: { content: true, days: 90 },
      guardrails: [
        { kind: 'patterns', on: ['input', 'output'], action: 'mask', patterns: ['email'] },
        { kind: 'patterns', action: 'block', patterns: ['card'] },
        { kind: 'patterns', on: ['input'], action: 'mask', patterns: ['secret'] },
        { kind: 'moderation', model: 'openai/omni-moderation-latest' },
      ],
      engines: [{ kind: 'searxng', id: 'find' }],
    })
    const left = reportOf('whole-proxy', 'left out')
    for (const path of [
      'include[1]',
      'mcp_servers',
      'vector_store_registry',
      'guardrails[3]',
      'guardrails[4]',
      'search_tools[1]',
      'include',
    ]) {
      expect(left).toContain(path)
    }
  })

  it('keeps prompts as long as the source has said', () => {
    const general = { store_prompts_in_spend_logs: true, maximum_spend_logs_retention_period: '7d' }
    expect(parse(translated(JSON.stringify({ general_settings: general })).text)).toEqual({
      trivium_usage_days: 7,
      request_log: { content: true, days: 7 },
    })
  })

  it('reads a name such as e5 as a text, as LiteLLM does', () => {
    const { text } = translated('model_list: [{ model_name: e5, litellm_params: { model: openai/e5, seed: .nan } }]\n')
    expect(parse(text).models).toEqual({ e5: 'openai/e5' })
  })

  it('limits the output of models of OpenAI by the name that they all accept', () => {
    const models = ['openai/o3', 'azure/gpt-5', 'groq/llama']
    const { text, report } = translated(
      JSON.stringify({
        model_list: [
          ...models.map((model) => ({
            model_name: model,
            litellm_params: { model, api_base: 'https://a.example/v1', max_tokens: 9 },
          })),
          { model_name: 'two', litellm_params: { model: 'openai/o1', max_tokens: 8, max_completion_tokens: 9 } },
          { model_name: 'own', litellm_params: { model: 'openai/o4-mini', max_tokens: 9 } },
        ],
      }),
    )
    const limits = new Map(
      readBack(text).sections.upstreams?.flatMap(({ models = [], parameters, model_rules = {} }) =>
        models.map((model) => [model, model_rules[model]?.parameters ?? parameters] as const),
      ),
    )
    expect(limits.get('o3')).toEqual({ chat: { max_tokens: 9 } })
    expect(limits.get('llama')).toEqual({ chat: { max_tokens: 9 } })
    expect(limits.get('gpt-5')).toEqual({ chat: { max_completion_tokens: 9 } })
    for (const model of ['o1', 'o4-mini'])
      expect(limits.get(model)).toEqual({ chat: { max_completion_tokens: 9 }, responses: { max_output_tokens: 9 } })
    expect(report).toContainEqual(
      expect.objectContaining({ path: 'model_list[3].litellm_params.max_tokens', finding: 'not needed' }),
    )
  })

  it('has the names of patterns for what Presidio names', () => {
    const entities = ['EMAIL_ADDRESS', 'CREDIT_CARD', 'IBAN_CODE', 'IP_ADDRESS', 'PHONE_NUMBER', 'US_SSN']
    const pii_entities_config = Object.fromEntries(entities.map((name) => [name, 'MASK']))
    const litellm_params = { guardrail: 'presidio', mode: 'pre_call', default_on: true, pii_entities_config }
    const { text } = translated(JSON.stringify({ guardrails: [{ guardrail_name: 'pii', litellm_params }] }))
    expect(readBack(text).sections.guardrails).toMatchObject([
      { patterns: ['email', 'card', 'iban', 'ip_address', 'phone', 'us_ssn'] },
    ])
  })

  it('has no keys where the input is empty', () => {
    expect(translation('empty').report).toEqual([])
    expect(fileOf('empty')).toEqual({})
  })

  it('has no text of a secret, and neither has the report', () => {
    const { text, report } = translation('plain-secrets')
    const all = text + JSON.stringify(report)
    for (const [secret] of readFileSync(join(FILES, 'plain-secrets.yaml'), 'utf8').matchAll(
      /(?:\d{4}|[a-e]{4})[-/]?secret[-/\w]*|AKIA\w+/gi,
    )) {
      expect(all).not.toContain(secret)
    }
    expect(reportOf('plain-secrets', 'to do')).toEqual(
      expect.arrayContaining([
        'model_list[0].litellm_params.api_key',
        'model_list[1].litellm_params.api_key',
        'general_settings.database_url',
      ]),
    )
    expect(fileOf('plain-secrets').upstreams).toMatchObject([
      { api_key: '$OPENAI_API_KEY' },
      { api_key: '$OPENAI_API_KEY_2' },
      {},
      {},
    ])
  })

  it('has another variable for a secret where its usual one is in use', () => {
    const { text } = translated(`model_list:
  - { model_name: a, litellm_params: { model: openai/gpt-5 } }
  - { model_name: b, litellm_params: { model: openai/gpt-5, api_key: sk-written-out } }
`)
    expect(parse(text).upstreams).toMatchObject([{ api_key: '$OPENAI_API_KEY' }, { api_key: '$OPENAI_API_KEY_2' }])
  })

  it('copies a header that names a beta of the provider', () => {
    const { text, report } = translated(`model_list:
  - model_name: a
    litellm_params:
      model: anthropic/claude-sonnet-4-5
      extra_headers: { anthropic-beta: 'interleaved-thinking-2025-05-14' }
`)
    expect(parse(text).upstreams).toMatchObject([{ headers: { 'anthropic-beta': 'interleaved-thinking-2025-05-14' } }])
    expect(JSON.stringify(report)).not.toContain('The secret is not copied')
  })

  it('escapes a text that begins with a dollar', () => {
    const { text } = translated(`model_list:
  - { model_name: a, litellm_params: { model: openai/gpt-5, stop: $END } }
`)
    expect(readBack(text).sections.upstreams?.[0]?.parameters?.chat).toEqual({ stop: '$END' })
  })

  it('stays within the bounds of routes where every model falls back to every other', () => {
    const names = Array.from({ length: 30 }, (_, index) => `m${index}`)
    const { text } = translated(
      JSON.stringify({
        model_list: names.map((name) => ({ model_name: name, litellm_params: { model: `groq/${name}` } })),
        router_settings: { fallbacks: names.map((name) => ({ [name]: names.filter((other) => other !== name) })) },
      }),
    )
    expect(Object.keys(readBack(text).sections.models ?? {})).toEqual(names)
  })
})
