import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkConfiguration } from '../../src/check-configuration.ts'
import { factoryName } from '../../src/config/gateway/ai-sdk-upstream.ts'
import { gatewayOptionsOf } from '../../src/config/gateway/gateway-options-of.ts'
import { configSchemaFile } from '../../src/config/schema/json-schema.ts'
import { type Configuration, readSettings } from '../../src/read-settings.ts'
import { namedFile } from './good-files.ts'

const directory = mkdtempSync(join(tmpdir(), 'trivium-config-'))
const file = join(directory, 'config.yaml')
afterAll(() => rmSync(directory, { recursive: true }))

const environment = { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-ant-1' }

async function configurationOf(
  text: string,
  variables: NodeJS.ProcessEnv = environment,
  args: readonly string[] = [],
): Promise<Configuration> {
  writeFileSync(file, text)
  const request = await readSettings(['--config', file, ...args], variables)
  if (request.kind !== 'serve') throw new Error(`the request is of kind ${request.kind}`)
  return request.configuration
}

const documented = readFileSync(join(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8')
const annotated = /```yaml annotated\n([\s\S]*?)```/.exec(documented)?.[1] ?? ''
const schema: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../config.schema.json'), 'utf8'))

describe('a file without mistakes', () => {
  it('gives the gateway all that it names, beside the upstreams of variables', async () => {
    const configuration = await configurationOf(namedFile)
    expect(await checkConfiguration(configuration)).toBe(
      `${file} is valid: models of openai, anthropic; search by duckduckgo, local.`,
    )
    const { guardrails, ...options } = gatewayOptionsOf(configuration.config?.sections ?? {})
    expect(guardrails?.map(({ id, on }) => [id, on])).toEqual([['patterns', ['input', 'output']]])
    expect(options).toEqual({
      upstreams: { openai: { models: ['gpt-5', 'ft:*'] } },
      models: {
        fast: 'openai/gpt-5-mini',
        smart: {
          targets: [
            { model: 'openai/gpt-5', weight: 3 },
            { model: 'anthropic/claude-opus', weight: 1 },
          ],
          fallbacks: [{ model: 'fast', on: ['error', 'rate_limit', 'context_length', 'refusal'] }],
        },
      },
      prices: { 'openai/gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 } },
      answerCache: { ttlSeconds: 300, maxEntries: 10_000, scope: 'key' },
      requestLog: { content: false, days: 30, sample: 1, redact: [], redactExpressions: {} },
    })
  })

  it('sets every section, as the documentation shows', async () => {
    const variables = { ...environment, AZURE_API_KEY: 'a', GOOGLE_API_KEY: 'g', BRAVE_API_KEY: 'b' }
    const { settings, config } = await configurationOf(annotated, variables)
    expect(settings).toMatchObject({ PORT: 8787, TRIVIUM_CONSOLE_PORTS: { first: 2000, last: 5000 } })
    expect(new Ajv({ strict: false }).compile(schema as object)(parse(annotated))).toBe(true)
    const unnamed = Object.keys(JSON.parse(configSchemaFile()).properties).filter(
      (name) =>
        /^(upstreams|models|prices|cache|request_log|guardrails|engines|volumes|labs|budgets|usage)$/.test(name) &&
        !Object.hasOwn(config?.sections ?? {}, name),
    )
    expect(unnamed).toEqual([])
  })

  it('accepts the address of its schema, in JSON and in YAML', async () => {
    const validate = new Ajv({ strict: false }).compile(schema as object)
    for (const text of ['{"$schema":"https://a.test/s.json","port":1}', '$schema: https://a.test/s.json\nport: 1\n']) {
      expect((await configurationOf(text)).settings).toMatchObject({ PORT: 1 })
      expect(validate(parse(text))).toBe(true)
    }
  })

  it('accepts variables in the place of names and texts of a fixed form', async () => {
    const text =
      'upstreams: [{ id: $ID, kind: openai, base_url: $URL, output_limit: $LIMIT }]\ncache: { scope: $SCOPE }\n'
    const variables = { ID: 'up', URL: 'https://api.example/v1', LIMIT: 'max_tokens', SCOPE: 'team' }
    expect((await configurationOf(text, variables)).config?.sections).toMatchObject({
      upstreams: [{ id: 'up', output_limit: 'max_tokens' }],
      cache: { scope: 'team' },
    })
    const validate = new Ajv({ strict: false }).compile(schema as object)
    expect(validate(parse(text))).toBe(true)
    expect(validate(parse('cache: { scope: $a-b }'))).toBe(false)
    expect(validate(parse('cache: { scope: user }'))).toBe(false)
  })

  it('sets variables in lower case and in upper case, as text, numbers, lists and truth values', async () => {
    const { settings } = await configurationOf(
      'port: 1\nHOST: "::1"\ntrivium_services: [storage]\ntrivium_gns3_names: true\ntrivium_data_dir: $DIRECTORY\n',
      { DIRECTORY: '/srv' },
    )
    expect(settings).toMatchObject({
      PORT: 1,
      HOST: '::1',
      TRIVIUM_SERVICES: ['storage'],
      TRIVIUM_GNS3_NAMES: true,
      TRIVIUM_DATA_DIR: '/srv',
    })
  })

  it('gives way to variables, and these to flags', async () => {
    const text = 'port: $PORT\nhost: ::1\ntrivium_transport: fetch\nlabs: { emu3: vpcs }\n'
    const variables = { PORT: '2', HOST: '127.0.0.2', TRIVIUM_EMU3: 'embedded' }
    const { settings } = await configurationOf(text, variables, ['--transport', 'express'])
    expect(settings).toMatchObject({
      PORT: 2,
      HOST: '127.0.0.2',
      TRIVIUM_TRANSPORT: 'express',
      TRIVIUM_EMU3: 'embedded',
    })
    expect((await configurationOf(text, variables, ['--port', '3'])).settings.PORT).toBe(3)
  })

  it('reads lists and switches of labs, and lists in one text', async () => {
    const text =
      'labs: { lab_reach: [internet, 192.0.2.7], lab_devices: "tap0, br0", container_socket: /run/podman.sock, container_images: ["localhost/*"], console_host: ::1, console_sources: [10.0.0.0/8], console_password: $PASSWORD, trust_options: true }\n'
    expect((await configurationOf(text, { PASSWORD: 'of-the-lab' })).settings).toMatchObject({
      TRIVIUM_LAB_REACH: ['internet', '192.0.2.7'],
      TRIVIUM_LAB_DEVICES: ['tap0', 'br0'],
      TRIVIUM_CONTAINER_SOCKET: '/run/podman.sock',
      TRIVIUM_CONTAINER_IMAGES: ['localhost/*'],
      TRIVIUM_CONSOLE_HOST: '::1',
      TRIVIUM_CONSOLE_SOURCES: ['10.0.0.0/8'],
      TRIVIUM_CONSOLE_PASSWORD: 'of-the-lab',
      TRIVIUM_TRUST_OPTIONS: true,
    })
  })

  it('reads JSON, and parts that anchors repeat', async () => {
    expect((await configurationOf('{"PORT": "1", "volumes": [{"name": "a"}]}')).settings).toMatchObject({
      PORT: 1,
      TRIVIUM_VOLUMES: [{ name: 'a', location: 'simulated' }],
    })
    const { config } = await configurationOf(`
upstreams:
  - &first { id: a, kind: local, retries: { retries: 3 } }
  - { <<: *first, id: b }
`)
    expect(config?.sections.upstreams).toMatchObject([{ id: 'a' }, { id: 'b', kind: 'local', retries: { retries: 3 } }])
  })

  it('keeps the names of routes and fields that the gateway has', async () => {
    const { config } = await configurationOf(`
upstreams:
  - id: a
    kind: local
    timeouts: { first_byte_seconds: 2 }
    retries: { retries: 0, max_wait_seconds: 1, backoff_ms: 5 }
    max_parallel_requests: 7
    wait_seconds: 1.5
    model_rules: { 'echo*': { parameters: { chat: { max_tokens: 5 } } } }
prices: { a/*: { audio_minute: "0.0000005", long: { above: 200000, cached_input: 1 } } }
timeouts: { total_seconds: 9 }
circuit: { failures: 2, cool_down_seconds: 3 }
budgets: { wait_seconds: 4 }
usage: { end_users: true }
bundled_prices: false
`)
    expect(gatewayOptionsOf(config?.sections ?? {})).toEqual({
      upstreams: {
        a: {
          timeouts: { firstByteSeconds: 2 },
          retries: { retries: 0, maxWaitSeconds: 1, backoffMs: 5 },
          maxParallelRequests: 7,
          waitSeconds: 1.5,
        },
        'a/echo*': { parameters: { chat: { max_tokens: 5 } } },
      },
      prices: { 'a/*': { audioMinute: '0.0000005', long: { above: 200_000, cachedInput: 1 } } },
      timeouts: { totalSeconds: 9 },
      circuit: { failures: 2, coolDownSeconds: 3 },
      budgets: { waitSeconds: 4 },
      usage: { endUsers: true },
      bundledPrices: false,
    })
  })
})

describe('packages of the AI SDK', () => {
  const sdk = (more: string) => `upstreams:\n  - { id: s, kind: ai-sdk, models: [m], ${more} }\n`

  it('finds a package beside the file', async () => {
    const installed = join(directory, 'node_modules/@acme/models')
    mkdirSync(installed, { recursive: true })
    writeFileSync(join(installed, 'package.json'), '{"name":"@acme/models","type":"module","exports":"./index.js"}')
    writeFileSync(
      join(installed, 'index.js'),
      'export const createModels = ({ fails }) => {\n' +
        '  if (fails) throw new TypeError("secret " + fails)\n' +
        "  return { languageModel: (modelId) => ({ specificationVersion: 'v3', provider: 'acme', modelId }) }\n" +
        '}\nexport const createOther = () => 1\n',
    )
    const configuration = await configurationOf(sdk(`package: '@acme/models'`))
    expect(await checkConfiguration(configuration)).toContain('models of s')
  })

  it.each([
    [
      `package: '@acme/absent'`,
      `2:50 upstreams[0].package: "@acme/absent" is not installed. Install it beside this file or the server with: npm install @acme/absent.`,
    ],
    [
      `package: '@acme/models', options: { fails: true }`,
      '2:75 upstreams[0].options: is refused by createModels (TypeError).',
    ],
    [
      `package: '@acme/models', export: createNothing`,
      '2:74 upstreams[0].export: is not a function of "@acme/models".',
    ],
    [
      `package: '@acme/models', export: createOther`,
      '2:50 upstreams[0].package: has a createOther that returns no provider.',
    ],
    [
      `package: '@acme/models', image_models: [i]`,
      '2:81 upstreams[0].image_models[0]: has no method imageModel in its package.',
    ],
  ])('refuses a package with %s, without the message of its code', async (more, message) => {
    const checked = checkConfiguration(await configurationOf(sdk(more), {}))
    await expect(checked).rejects.toThrow(`${file}:${message}`)
    await expect(checked).rejects.not.toThrow('secret')
  })

  it('names no value of a variable, where it is a package', async () => {
    const environment = { KEY: 'sk-verysecret-aaaa' }
    const absent = checkConfiguration(await configurationOf(sdk('package: $KEY'), environment))
    await expect(absent).rejects.toThrow(
      `${file}:2:50 upstreams[0].package: is not installed. Install it beside this file or the server.`,
    )
  })

  it.each([
    ['@ai-sdk/azure', ['createAzure', 'azure'], 'createAzure'],
    ['@ai-sdk/google', ['createGoogleGenerativeAI', 'createGeneric'], 'createGoogleGenerativeAI'],
    ['@ai-sdk/amazon-bedrock', ['createAmazonBedrock', 'bedrock'], 'createAmazonBedrock'],
    ['@ai-sdk/openai-compatible', ['createOpenAICompatible'], 'createOpenAICompatible'],
    ['@ai-sdk/google-vertex/anthropic', ['createVertexAnthropic'], 'createVertexAnthropic'],
    ['other', ['createA', 'createB'], undefined],
    ['other', ['created', 'create'], undefined],
  ])('finds in %s with %j the function %s', (name, exports, found) => {
    expect(factoryName(name, Object.fromEntries(exports.map((key) => [key, () => ({})])))).toBe(found)
  })
})

describe('config.schema.json', () => {
  it('equals what npm run docs:config writes', () => {
    expect(readFileSync(join(import.meta.dirname, '../../config.schema.json'), 'utf8')).toBe(configSchemaFile())
  })

  it('describes every key', () => {
    const without: string[] = []
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, member] of Object.entries(value)) {
        if (key === 'properties') {
          for (const [name, property] of Object.entries<object>(member)) {
            if (!('description' in property && property.description)) without.push(`${path}/${name}`)
          }
        }
        look(member, `${path}/${key}`)
      }
    }
    look(schema, '')
    expect(without).toEqual([])
  })

  it('accepts the files that are valid, and refuses misspelt keys', () => {
    const validate = new Ajv({ strict: false }).compile(schema as object)
    expect(validate(parse(namedFile)), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ PORT: 1, port: '2' })).toBe(true)
    expect(validate({ upstream: [] })).toBe(false)
    expect(validate({ upstreams: [{ id: 'a', kind: 'openai', base_ulr: 'x' }] })).toBe(false)
  })
})
