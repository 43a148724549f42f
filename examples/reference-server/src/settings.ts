import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { isNetwork } from './access/trusted-proxies.ts'

/** A mistake in the settings, in one sentence with the remedy: for the person who starts the server. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Each flag, the variable that says the same, and what `--help` tells of it. */
const flags = {
  port: { variable: 'PORT', hint: 'NUMBER', help: 'port to listen on (8787; 0 takes a free one)' },
  host: { variable: 'HOST', hint: 'ADDRESS', help: 'address to listen on (127.0.0.1)' },
  transport: { variable: 'TRIVIUM_TRANSPORT', hint: 'NAME', help: 'fastify, express or fetch (fastify)' },
  'data-dir': { variable: 'TRIVIUM_DATA_DIR', hint: 'DIR', help: 'where state is kept (.trivium)' },
  'tls-cert': { variable: 'TRIVIUM_TLS_CERT', hint: 'FILE', help: 'certificate chain in PEM: serves https' },
  'tls-key': { variable: 'TRIVIUM_TLS_KEY', hint: 'FILE', help: 'private key in PEM' },
  config: { variable: 'TRIVIUM_CONFIG', hint: 'FILE', help: 'JSON object with the variables below' },
} as const

const services = ['gateway', 'emulation', 'storage'] as const

const variables = {
  TRIVIUM_SERVICES: 'what is served, comma list (gateway,emulation,storage)',
  DATABASE_URL: 'sqlite:FILE (default, in the data directory), memory:, postgres://…, mysql://…',
  TRIVIUM_DURABILITY: 'what answered changes survive: process (its end) or power (a power failure too) (process)',
  REDIS_URL: 'redis://… : exact limits for several replicas',
  TRIVIUM_ADMIN_PASSWORD: 'password of user admin (made at the first start and kept in the data directory)',
  OPENAI_BASE_URL: 'OpenAI-compatible upstream, with OPENAI_API_KEY and OPENAI_MODELS (comma list)',
  ANTHROPIC_BASE_URL: 'Anthropic upstream, with ANTHROPIC_API_KEY and ANTHROPIC_MODELS',
  OLLAMA_HOST: 'Ollama upstream (looked for at 127.0.0.1:11434)',
  SEARXNG_URL: 'SearXNG instance',
  BRAVE_API_KEY: 'Brave Search, with BRAVE_BASE_URL',
  DUCKDUCKGO_BASE_URL: 'another address for DuckDuckGo',
  TRIVIUM_USAGE_DAYS: 'how long usage is kept (400)',
  TRIVIUM_ENDED_KEY_DAYS: 'how long API keys are kept after they were revoked or have expired (400)',
  TRIVIUM_PROJECTS_DIR: 'emulation projects (projects, in the data directory)',
  TRIVIUM_IMAGES_DIR: 'emulator images (images, in the data directory)',
  TRIVIUM_CONSOLE_PORTS: 'TCP ports of consoles (2000-5000)',
  TRIVIUM_UDP_PORTS: 'UDP ports of links (10000-20000)',
  TRIVIUM_GNS3_NAMES: '1 also serves the product names',
  TRIVIUM_EMU3: 'embedded or vpcs (embedded)',
  TRIVIUM_CAPTURE_BYTES: 'how large one capture file gets (1073741824)',
  TRIVIUM_PROJECT_CAPTURE_BYTES: 'how much all capture files of one project have together (4294967296)',
  TRIVIUM_CAPTURE_DAYS: 'how long capture files are kept (30)',
  TRIVIUM_VOLUMES: 'name=simulated or name=DIR, comma list (vol1=simulated)',
  TRIVIUM_INSPECT_SECONDS: 'how often volumes are compared with their file systems (60)',
  TRIVIUM_HEAD_SECONDS: 'how long the head of a request, or a TLS handshake, may take (20)',
  TRIVIUM_REQUEST_SECONDS: 'how long a whole request may take (300)',
  TRIVIUM_IDLE_SECONDS: 'how long a connection may wait for its next request (65)',
  TRIVIUM_STALLED_SECONDS: 'how long an answer waits for a client that takes nothing of it (60)',
  TRIVIUM_MAX_CONNECTIONS: 'open connections, further ones are closed at once (10000)',
  TRIVIUM_AUDIT_LOG: 'file for logins, changes and refusals as lines of JSON; - is the standard output',
  TRIVIUM_TRUST_PROXY: 'addresses and networks whose x-forwarded-for is believed, comma list',
} as const

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'))

const portRange = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}-\d{1,5}$/, 'must be FIRST-LAST'),
  v.transform((range) => {
    const [first = 0, last = 0] = range.split('-').map(Number)
    return { first, last }
  }),
  v.check(({ first, last }) => first >= 1 && first <= last && last <= 65535, 'must go from 1 to 65535'),
)

const list = v.pipe(
  v.string(),
  v.transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
)

const networks = v.pipe(
  list,
  v.check((items) => items.every(isNetwork), 'must be addresses or networks such as 10.0.0.0/8, separated by commas'),
)

const atLeastOne = v.pipe(
  v.string(),
  v.digits('must be a number'),
  v.transform(Number),
  v.minValue(1, 'must be at least 1'),
  v.maxValue(1_000_000, 'must be at most 1000000'),
)

const byteCount = v.pipe(
  v.string(),
  v.digits('must be a number'),
  v.transform(Number),
  v.minValue(1024, 'must be at least 1024'),
  v.safeInteger('must be at most 9007199254740991'),
)

const servedServices = v.pipe(
  list,
  v.array(v.picklist(services, 'must be a comma list of gateway, emulation and storage')),
  v.nonEmpty('must name a service'),
)

const httpUrl = v.pipe(
  v.string(),
  v.check((url) => URL.canParse(url) && /^https?:\/\//.test(url), 'must be an http or https URL'),
)

const databaseUrl = v.pipe(
  v.string(),
  v.check(
    (url) => /^(sqlite:.+|memory:)$/.test(url) || (/^(postgres(ql)?|mysql):\/\/./.test(url) && URL.canParse(url)),
    'must be sqlite:FILE, memory:, postgres://… or mysql://…',
  ),
)

/** As Ollama's own programs take it: an address, whose port is 11434 where it has none, or a URL. */
const ollamaHost = v.pipe(
  text,
  v.transform((host) => (/^https?:\/\//.test(host) ? host : `http://${/:\d+$/.test(host) ? host : `${host}:11434`}`)),
  v.check((url) => URL.canParse(url), 'must be an address, ADDRESS:PORT or an http URL'),
  v.transform((url) => new URL(url).origin),
)

const volumes = v.pipe(
  list,
  v.mapItems((item) => {
    const at = item.indexOf('=')
    return { name: item.slice(0, Math.max(at, 0)), location: item.slice(at + 1) }
  }),
  v.check(
    (items) =>
      items.length > 0 && items.every(({ name, location }) => /^[A-Za-z_][\w-]{0,202}$/.test(name) && location),
    'must be name=simulated or name=DIR, separated by commas',
  ),
)

const schema = v.object({
  PORT: v.optional(
    v.pipe(v.string(), v.digits('must be a number'), v.transform(Number), v.maxValue(65535, 'must be at most 65535')),
    '8787',
  ),
  HOST: v.optional(text, '127.0.0.1'),
  TRIVIUM_TRANSPORT: v.optional(
    v.picklist(['fastify', 'express', 'fetch'], 'must be fastify, express or fetch'),
    'fastify',
  ),
  TRIVIUM_DATA_DIR: v.optional(text, '.trivium'),
  TRIVIUM_TLS_CERT: v.optional(text),
  TRIVIUM_TLS_KEY: v.optional(text),
  TRIVIUM_SERVICES: v.optional(servedServices, services.join()),
  DATABASE_URL: v.optional(databaseUrl),
  TRIVIUM_DURABILITY: v.optional(v.picklist(['process', 'power'], 'must be process or power'), 'process'),
  REDIS_URL: v.optional(
    v.pipe(
      v.string(),
      v.check((url) => /^rediss?:\/\/./.test(url) && URL.canParse(url), 'must be redis://…'),
    ),
  ),
  TRIVIUM_ADMIN_PASSWORD: v.optional(text),
  OPENAI_BASE_URL: v.optional(httpUrl),
  OPENAI_API_KEY: v.optional(text),
  OPENAI_MODELS: v.optional(list),
  ANTHROPIC_BASE_URL: v.optional(httpUrl),
  ANTHROPIC_API_KEY: v.optional(text),
  ANTHROPIC_MODELS: v.optional(list),
  OLLAMA_HOST: v.optional(ollamaHost),
  SEARXNG_URL: v.optional(httpUrl),
  BRAVE_API_KEY: v.optional(text),
  BRAVE_BASE_URL: v.optional(httpUrl),
  DUCKDUCKGO_BASE_URL: v.optional(httpUrl),
  TRIVIUM_USAGE_DAYS: v.optional(atLeastOne, '400'),
  TRIVIUM_ENDED_KEY_DAYS: v.optional(atLeastOne, '400'),
  TRIVIUM_PROJECTS_DIR: v.optional(text),
  TRIVIUM_IMAGES_DIR: v.optional(text),
  TRIVIUM_CONSOLE_PORTS: v.optional(portRange, '2000-5000'),
  TRIVIUM_UDP_PORTS: v.optional(portRange, '10000-20000'),
  TRIVIUM_GNS3_NAMES: v.optional(
    v.pipe(
      v.picklist(['0', '1'], 'must be 0 or 1'),
      v.transform((value) => value === '1'),
    ),
    '0',
  ),
  TRIVIUM_EMU3: v.optional(v.picklist(['embedded', 'vpcs'], 'must be embedded or vpcs'), 'embedded'),
  TRIVIUM_CAPTURE_BYTES: v.optional(byteCount, `${2 ** 30}`),
  TRIVIUM_PROJECT_CAPTURE_BYTES: v.optional(byteCount, `${2 ** 32}`),
  TRIVIUM_CAPTURE_DAYS: v.optional(atLeastOne, '30'),
  TRIVIUM_VOLUMES: v.optional(volumes, 'vol1=simulated'),
  TRIVIUM_INSPECT_SECONDS: v.optional(atLeastOne, '60'),
  TRIVIUM_HEAD_SECONDS: v.optional(atLeastOne, '20'),
  TRIVIUM_REQUEST_SECONDS: v.optional(atLeastOne, '300'),
  TRIVIUM_IDLE_SECONDS: v.optional(atLeastOne, '65'),
  TRIVIUM_STALLED_SECONDS: v.optional(atLeastOne, '60'),
  TRIVIUM_MAX_CONNECTIONS: v.optional(atLeastOne, '10000'),
  TRIVIUM_AUDIT_LOG: v.optional(text),
  TRIVIUM_TRUST_PROXY: v.optional(networks, ''),
})

/** Of the variables, and of what `--config` may say. */
export const settingNames = Object.keys(schema.entries)

export type Settings = v.InferOutput<typeof schema>

export type Request =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'serve'; readonly settings: Settings }

export function projectsDirectory({ TRIVIUM_PROJECTS_DIR, TRIVIUM_DATA_DIR }: Settings): string {
  return resolve(TRIVIUM_PROJECTS_DIR ?? join(TRIVIUM_DATA_DIR, 'projects'))
}

/** Flags win over variables, variables over the file that `--config` names. */
export function readSettings(args: readonly string[], environment: NodeJS.ProcessEnv): Request {
  const given = parseFlags(args)
  if (given.help) return { kind: 'help', text: helpText() }
  if (given.version) return { kind: 'version' }
  const named: Record<string, unknown> = {}
  for (const name of settingNames) if (environment[name]) named[name] = environment[name]
  for (const [flag, { variable }] of Object.entries(flags)) {
    const value = given[flag]
    if (value !== undefined) named[variable] = value
  }
  const file = given.config ?? environment.TRIVIUM_CONFIG
  const result = v.safeParse(schema, { ...(typeof file === 'string' ? readConfig(file) : {}), ...named })
  if (!result.success) {
    throw new SettingsError(sentenceOf(result.issues[0]))
  }
  const { TRIVIUM_TLS_CERT: certificate, TRIVIUM_TLS_KEY: key } = result.output
  if ((certificate === undefined) !== (key === undefined)) {
    throw new SettingsError('--tls-cert and --tls-key go together; give both or none.')
  }
  return { kind: 'serve', settings: result.output }
}

/** What may hold a secret is not repeated. */
function sentenceOf({ path, input, message }: v.InferIssue<typeof schema>): string {
  const name = String(path?.[0].key)
  const [flag] = Object.entries(flags).find(([, { variable }]) => variable === name) ?? []
  const given = /PASSWORD|KEY$|URL|HOST/.test(name) ? '' : `, not ${JSON.stringify(input)}`
  return `${name}${flag === undefined ? '' : ` (--${flag})`} ${message}${given}; see --help.`
}

function parseFlags(args: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const strings = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({
      args: [...args],
      options: { ...strings, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
      allowPositionals: false,
    }).values
  } catch (error) {
    throw new SettingsError(`${error instanceof Error ? error.message.split('.')[0] : error}; see --help.`)
  }
}

const configSchema = v.record(
  v.picklist(settingNames),
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((value) => String(value)),
  ),
)

function readConfig(file: string): Readonly<Record<string, string>> {
  try {
    return v.parse(configSchema, JSON.parse(readFileSync(resolve(file), 'utf8')))
  } catch (error) {
    throw new SettingsError(
      `The file ${file} cannot be used (${reasonOf(error)}); it is a JSON object of strings, named like the variables in --help.`,
    )
  }
}

/** Without the text of the file, which may hold secrets. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is no JSON'
  if (v.isValiError(error)) return `${v.getDotPath(error.issues[0]) ?? 'it'} is not one of them`
  return error instanceof Error ? error.message : String(error)
}

function helpText(): string {
  const width = 31
  const flagLines = Object.entries(flags).map(
    ([name, { hint, help, variable }]) => `  ${`--${name} ${hint}`.padEnd(width)}${help} [${variable}]`,
  )
  const variableLines = Object.entries(variables).map(([name, help]) => `  ${name.padEnd(width)}${help}`)
  return [
    'Trivium reference server: an AI gateway, a network-emulation server and a storage interface in one process.',
    '',
    'npm start -- [flags]',
    '',
    ...flagLines,
    `  ${'--help, --version'.padEnd(width)}this text, the version`,
    '',
    'Variables:',
    ...variableLines,
  ].join('\n')
}
