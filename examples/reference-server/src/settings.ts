import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { isNetwork } from './access/trusted-proxies.ts'
import { isUserHeader } from './access/user-header.ts'

/** A mistake in the settings. The message names it and its remedy, and is printed without a stack. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Each flag, its variable, and its line in `--help`. */
export const flags = {
  port: { variable: 'PORT', hint: 'NUMBER', help: 'port to listen on, 0 for a free one (8787)' },
  host: { variable: 'HOST', hint: 'ADDRESS', help: 'address to listen on (127.0.0.1)' },
  transport: { variable: 'TRIVIUM_TRANSPORT', hint: 'NAME', help: 'fastify, express or fetch (fastify)' },
  'data-dir': { variable: 'TRIVIUM_DATA_DIR', hint: 'DIR', help: 'directory of all state (.trivium)' },
  'tls-cert': { variable: 'TRIVIUM_TLS_CERT', hint: 'FILE', help: 'certificate chain in PEM, enables https' },
  'tls-key': { variable: 'TRIVIUM_TLS_KEY', hint: 'FILE', help: 'private key of the certificate in PEM' },
  workers: {
    variable: 'TRIVIUM_WORKERS',
    hint: 'NUMBER',
    help: 'processes of the gateway, or auto for one a core (1)',
  },
  config: { variable: 'TRIVIUM_CONFIG', hint: 'FILE', help: 'YAML or JSON file, with upstreams, models and prices' },
} as const

const services = ['gateway', 'emulation', 'storage'] as const

export const variables = {
  TRIVIUM_SERVICES: 'services to run, separated by commas (gateway,emulation,storage)',
  DATABASE_URL: 'sqlite:FILE, memory:, postgres://… or mysql://… (SQLite in the data directory)',
  TRIVIUM_DURABILITY: 'process: stored changes survive a crash, power: also a power failure (process)',
  REDIS_URL: 'redis://… for exact limits over several replicas',
  TRIVIUM_AUTH: 'off lets requests without credentials act as the admin, on a loopback --host only (on)',
  TRIVIUM_ADMIN_PASSWORD: 'password of the user admin (made at the first start, stored in the data directory)',
  OPENAI_BASE_URL:
    'OpenAI-compatible upstream, including its /v1, with OPENAI_API_KEY and OPENAI_MODELS (separated by commas)',
  OPENAI_DIALECTS: 'what that upstream speaks: chat, responses or chat,responses (chat; both for api.openai.com)',
  ANTHROPIC_BASE_URL: 'Anthropic upstream, without /v1, with ANTHROPIC_API_KEY and ANTHROPIC_MODELS',
  ANTHROPIC_CACHE_BREAKPOINTS: '1 marks the prompt cache in requests of other dialects without marks (0)',
  OLLAMA_HOST: 'Ollama upstream (127.0.0.1:11434 where Ollama answers there)',
  SEARXNG_URL: 'SearXNG instance for searches, before Brave Search and DuckDuckGo',
  BRAVE_API_KEY: 'Brave Search for searches, before DuckDuckGo, with BRAVE_BASE_URL',
  DUCKDUCKGO_BASE_URL: 'base URL of DuckDuckGo, which is searched by default, if another one',
  TRIVIUM_FORWARD_HEADERS: "clients' headers that upstreams get, such as openai-organization, separated by commas",
  TRIVIUM_CHAT_BODY_MIB: 'most MiB of a chat request, at most 128 (32)',
  TRIVIUM_USAGE_DAYS: 'days for which usage is kept (400)',
  TRIVIUM_RESPONSES_DAYS: 'days for which responses and conversations are kept, 0 keeps none (30)',
  TRIVIUM_ENDED_KEY_DAYS: 'days for which revoked and expired API keys are kept (400)',
  TRIVIUM_PROJECTS_DIR: 'directory of emulation projects (projects, in the data directory)',
  TRIVIUM_IMAGES_DIR: 'directory of emulator images (images, in the data directory)',
  TRIVIUM_IMAGE_BYTES: 'size limit of one uploaded image in bytes (34359738368)',
  TRIVIUM_IMAGES_BYTES: 'size limit of all images in bytes (274877906944)',
  TRIVIUM_IMAGES_FREE_BYTES: 'space in bytes that uploads of images leave free on the disk (1073741824)',
  TRIVIUM_CONSOLE_PORTS: 'TCP ports of consoles (2000-5000)',
  TRIVIUM_CONSOLE_HOST: 'address on which consoles listen; another than loopback needs one of the next two (127.0.0.1)',
  TRIVIUM_CONSOLE_PASSWORD: 'password that telnet consoles ask for, at least 8 characters',
  TRIVIUM_CONSOLE_SOURCES:
    'addresses and networks that can open the ports of consoles, separated by commas (every source)',
  TRIVIUM_UDP_PORTS: 'UDP ports of links (10000-20000)',
  TRIVIUM_GNS3_NAMES: '1 also serves the paths and fields with product names, and opens projects that are open (0)',
  TRIVIUM_VERSION_TOLD: 'version that /v1/version reports (that of Trivium; with product names 1.3.0alpha1)',
  TRIVIUM_TRUST_OPTIONS:
    '1 allows every option and monitor command of QEMU, which then reach every file of the server (0)',
  TRIVIUM_EMU3: 'emulator of virtual PCs that are created without an engine: embedded or vpcs (embedded)',
  TRIVIUM_CAPTURE_BYTES: 'size limit of one capture file in bytes (1073741824)',
  TRIVIUM_PROJECT_CAPTURE_BYTES: 'size limit of all capture files of one project in bytes (4294967296)',
  TRIVIUM_CAPTURE_DAYS: 'days for which capture files are kept (30)',
  TRIVIUM_LAB_REACH: 'networks that labs reach by NAT nodes, or internet, separated by commas (none)',
  TRIVIUM_LAB_DEVICES: 'TAP devices, bridges and interfaces that labs can use, separated by commas (none)',
  TRIVIUM_CONTAINER_SOCKET: 'Unix socket of Podman or Docker, which runs the containers of labs (none)',
  TRIVIUM_CONTAINER_IMAGES: 'names of images that containers of labs can use, with *, separated by commas (none)',
  TRIVIUM_VOLUMES: 'NAME=simulated or NAME=DIR, separated by commas (vol1=simulated)',
  TRIVIUM_CLONE_DIRECTORIES: 'NAME=DIR of volumes on btrfs that can be cloned, into DIR, separated by commas (none)',
  TRIVIUM_INSPECT_SECONDS: 'seconds between comparisons of volumes with their file systems (60)',
  TRIVIUM_USAGE_SECONDS: 'seconds between comparisons of the use with soft limits and thresholds (60)',
  TRIVIUM_NOTICE_DAYS: 'days for which notices are kept (30)',
  TRIVIUM_NOTICE_HYSTERESIS: 'percent of a limit by which the use falls below it before that is notified, 0 to 50 (1)',
  TRIVIUM_SMTP_URL: 'mail server for notices of the storage service, smtp[s]://USER:PASSWORD@HOST:PORT (none)',
  TRIVIUM_MAIL_FROM: 'address from which notices are sent',
  TRIVIUM_MAIL_TO: 'addresses to which notices are sent, separated by commas',
  TRIVIUM_SPLIT_FLOOR: 'space that splits leave available on each volume, in bytes or as a percentage (5%)',
  TRIVIUM_HISTORY_SECONDS: 'seconds between samples of the use of volumes and quotas, 60 to 1800, 0 keeps none (300)',
  TRIVIUM_HISTORY_DAYS: 'days for which the history of that use is kept (400)',
  TRIVIUM_METRIC_TARGETS: 'most quota targets that are shown in /metrics, those with the largest use (100)',
  TRIVIUM_HEAD_SECONDS: 'seconds within which the head of a request, or a TLS handshake, must arrive (20)',
  TRIVIUM_REQUEST_SECONDS: 'seconds within which a whole request must arrive (300)',
  TRIVIUM_IDLE_SECONDS: 'seconds after which a connection without a request is closed (65)',
  TRIVIUM_STALLED_SECONDS: 'seconds after which an answer whose client does not read is ended (60)',
  TRIVIUM_MAX_CONNECTIONS: 'most open connections, further ones are closed immediately (10000)',
  TRIVIUM_AUDIT_LOG: 'file for logins, changes and refusals as lines of JSON, - for the standard output',
  TRIVIUM_TRUST_PROXY: 'proxies whose x-forwarded-for is used: addresses and networks, separated by commas',
  TRIVIUM_USER_HEADER: 'header by which those proxies name the user who reads the own quotas of the storage (none)',
} as const

const MAX_WORKERS = 256

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'))

const portRange = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}-\d{1,5}$/, 'must be FIRST-LAST'),
  v.transform((range) => {
    const [first = 0, last = 0] = range.split('-').map(Number)
    return { first, last }
  }),
  v.check(
    ({ first, last }) => first >= 1 && first <= last && last <= 65535,
    'must be within 1-65535, and FIRST must not exceed LAST',
  ),
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

const userHeader = v.pipe(
  text,
  v.toLowerCase(),
  v.check(isUserHeader, 'must be the name of a header such as x-forwarded-user, with no other meaning'),
)

/** Public addresses only. */
const INTERNET = 'internet'

const reach = v.pipe(
  list,
  v.check(
    (items) => items.every((item) => item === INTERNET || (isNetwork(item) && !item.includes('%'))),
    `must be networks such as 10.0.0.0/8, single addresses or ${INTERNET}, separated by commas`,
  ),
  v.maxLength(1000, 'must have at most 1000 networks'),
)

const networkDevices = v.pipe(
  list,
  v.check(
    (items) => items.every((item) => /^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,14}$/.test(item)),
    'must be names of network devices, separated by commas',
  ),
  v.maxLength(100, 'must have at most 100 devices'),
)

const absolutePath = v.pipe(v.string(), v.startsWith('/', 'must be an absolute path'))

const containerImages = v.pipe(
  list,
  v.check(
    (items) => items.every((item) => /^[\w./:@*-]{1,255}$/.test(item)),
    'must be names of images, in which * stands for any characters, separated by commas',
  ),
  v.maxLength(100, 'must have at most 100 images'),
)

const wholeNumber = (minimum: number, maximum: number) =>
  v.pipe(
    v.string(),
    v.digits('must be a number'),
    v.transform(Number),
    v.minValue(minimum, `must be at least ${minimum}`),
    v.maxValue(maximum, `must be at most ${maximum}`),
  )

const positiveInteger = wholeNumber(1, 1_000_000)

const splitFloor = v.pipe(
  v.string(),
  v.regex(/^(?:\d{1,15}|(?:100|\d{1,2}(?:\.\d{1,6})?)%)$/, 'must be a number of bytes or a percentage such as 5%'),
  v.transform((floor) => (floor.endsWith('%') ? floor : Number(floor))),
)

/** 0 turns off what is kept so long. */
const wholeDays = wholeNumber(0, 1_000_000)

/** 0 turns the history off. */
const historyInterval = v.pipe(
  v.string(),
  v.digits('must be a number'),
  v.transform(Number),
  v.check((seconds) => seconds === 0 || (seconds >= 60 && seconds <= 1800), 'must be 0, or from 60 to 1800'),
)

const keptDays = wholeNumber(1, 3650)

const hysteresis = wholeNumber(0, 50)

const targetCount = wholeNumber(0, 10_000)

const workerCount = v.pipe(
  v.string(),
  v.check(
    (count) => count === 'auto' || (/^\d{1,3}$/.test(count) && Number(count) >= 1 && Number(count) <= MAX_WORKERS),
    `must be auto or a number from 1 to ${MAX_WORKERS}`,
  ),
  v.transform((count) => (count === 'auto' ? count : Number(count))),
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
  v.array(v.picklist(services, 'must be gateway, emulation and storage, or some of them, separated by commas')),
  v.nonEmpty('must name at least one service'),
)

const spokenDialects = v.pipe(
  list,
  v.array(v.picklist(['chat', 'responses'], 'must be chat, responses or chat,responses')),
  v.nonEmpty('must name at least one dialect'),
)

const onOrOff = v.pipe(
  v.picklist(['0', '1'], 'must be 0 or 1'),
  v.transform((value) => value === '1'),
)

const reportedVersion = v.pipe(
  v.string(),
  v.regex(/^[\w.+-]{1,64}$/, 'must be a version of at most 64 letters, digits, dots, pluses and dashes'),
)

const httpUrl = v.pipe(
  v.string(),
  v.check((url) => URL.canParse(url) && /^https?:\/\//.test(url), 'must be an http or https URL'),
)

const smtpUrl = v.pipe(
  v.string(),
  v.check((url) => /^smtps?:\/\/./.test(url) && URL.canParse(url), 'must be smtp://… or smtps://…'),
)

const ADDRESS = /^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,189}$/

const mailAddress = v.pipe(v.string(), v.regex(ADDRESS, 'must be an address'))

const mailAddresses = v.pipe(
  list,
  v.check((items) => items.every((item) => ADDRESS.test(item)), 'must be addresses, separated by commas'),
  v.maxLength(100, 'must have at most 100 addresses'),
)

const databaseUrl = v.pipe(
  v.string(),
  v.check(
    (url) => /^(sqlite:.+|memory:)$/.test(url) || (/^(postgres(ql)?|mysql):\/\/./.test(url) && URL.canParse(url)),
    'must be sqlite:FILE, memory:, postgres://… or mysql://…',
  ),
)

/** As Ollama's own programs accept it: a URL, or an address with the default port 11434. */
const ollamaHost = v.pipe(
  text,
  v.transform((host) => (/^https?:\/\//.test(host) ? host : `http://${/:\d+$/.test(host) ? host : `${host}:11434`}`)),
  v.check((url) => URL.canParse(url), 'must be an address, ADDRESS:PORT or an http URL'),
  v.transform((url) => new URL(url).origin),
)

interface Located {
  readonly name: string
  readonly location: string
}

const located = v.pipe(
  list,
  v.mapItems((item): Located => {
    const at = item.indexOf('=')
    return { name: item.slice(0, Math.max(at, 0)), location: item.slice(at + 1) }
  }),
)

const areLocated = (items: readonly Located[]): boolean =>
  items.every(({ name, location }) => /^[A-Za-z_][\w-]{0,202}$/.test(name) && location !== '')

const volumes = v.pipe(
  located,
  v.check((items) => items.length > 0 && areLocated(items), 'must be NAME=simulated or NAME=DIR, separated by commas'),
)

const cloneDirectories = v.pipe(
  located,
  v.check((items) => areLocated(items), 'must be NAME=DIR, separated by commas'),
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
  TRIVIUM_WORKERS: v.optional(workerCount, '1'),
  TRIVIUM_SERVICES: v.optional(servedServices, services.join()),
  DATABASE_URL: v.optional(databaseUrl),
  TRIVIUM_DURABILITY: v.optional(v.picklist(['process', 'power'], 'must be process or power'), 'process'),
  REDIS_URL: v.optional(
    v.pipe(
      v.string(),
      v.check((url) => /^rediss?:\/\/./.test(url) && URL.canParse(url), 'must be redis://…'),
    ),
  ),
  TRIVIUM_AUTH: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'on'),
  TRIVIUM_ADMIN_PASSWORD: v.optional(text),
  OPENAI_BASE_URL: v.optional(httpUrl),
  OPENAI_API_KEY: v.optional(text),
  OPENAI_MODELS: v.optional(list),
  OPENAI_DIALECTS: v.optional(spokenDialects),
  ANTHROPIC_BASE_URL: v.optional(httpUrl),
  ANTHROPIC_API_KEY: v.optional(text),
  ANTHROPIC_MODELS: v.optional(list),
  ANTHROPIC_CACHE_BREAKPOINTS: v.optional(onOrOff, '0'),
  OLLAMA_HOST: v.optional(ollamaHost),
  SEARXNG_URL: v.optional(httpUrl),
  BRAVE_API_KEY: v.optional(text),
  BRAVE_BASE_URL: v.optional(httpUrl),
  DUCKDUCKGO_BASE_URL: v.optional(httpUrl),
  TRIVIUM_FORWARD_HEADERS: v.optional(v.pipe(list, v.maxLength(50, 'must have at most 50 names')), ''),
  TRIVIUM_CHAT_BODY_MIB: v.optional(v.pipe(positiveInteger, v.maxValue(128, 'must be at most 128')), '32'),
  TRIVIUM_USAGE_DAYS: v.optional(positiveInteger, '400'),
  TRIVIUM_RESPONSES_DAYS: v.optional(wholeDays, '30'),
  TRIVIUM_ENDED_KEY_DAYS: v.optional(positiveInteger, '400'),
  TRIVIUM_PROJECTS_DIR: v.optional(text),
  TRIVIUM_IMAGES_DIR: v.optional(text),
  TRIVIUM_IMAGE_BYTES: v.optional(byteCount, `${2 ** 35}`),
  TRIVIUM_IMAGES_BYTES: v.optional(byteCount, `${2 ** 38}`),
  TRIVIUM_IMAGES_FREE_BYTES: v.optional(byteCount, `${2 ** 30}`),
  TRIVIUM_CONSOLE_PORTS: v.optional(portRange, '2000-5000'),
  TRIVIUM_CONSOLE_HOST: v.optional(text, '127.0.0.1'),
  TRIVIUM_CONSOLE_PASSWORD: v.optional(
    v.pipe(
      v.string(),
      v.minLength(8, 'must have at least 8 characters'),
      v.maxLength(256, 'must have at most 256 characters'),
    ),
  ),
  TRIVIUM_CONSOLE_SOURCES: v.optional(v.pipe(networks, v.maxLength(1000, 'must have at most 1000 networks'))),
  TRIVIUM_UDP_PORTS: v.optional(portRange, '10000-20000'),
  TRIVIUM_GNS3_NAMES: v.optional(onOrOff, '0'),
  TRIVIUM_VERSION_TOLD: v.optional(reportedVersion),
  TRIVIUM_TRUST_OPTIONS: v.optional(onOrOff, '0'),
  TRIVIUM_EMU3: v.optional(v.picklist(['embedded', 'vpcs'], 'must be embedded or vpcs'), 'embedded'),
  TRIVIUM_CAPTURE_BYTES: v.optional(byteCount, `${2 ** 30}`),
  TRIVIUM_PROJECT_CAPTURE_BYTES: v.optional(byteCount, `${2 ** 32}`),
  TRIVIUM_CAPTURE_DAYS: v.optional(positiveInteger, '30'),
  TRIVIUM_LAB_REACH: v.optional(reach, ''),
  TRIVIUM_LAB_DEVICES: v.optional(networkDevices, ''),
  TRIVIUM_CONTAINER_SOCKET: v.optional(absolutePath),
  TRIVIUM_CONTAINER_IMAGES: v.optional(containerImages, ''),
  TRIVIUM_VOLUMES: v.optional(volumes, 'vol1=simulated'),
  TRIVIUM_CLONE_DIRECTORIES: v.optional(cloneDirectories, ''),
  TRIVIUM_INSPECT_SECONDS: v.optional(positiveInteger, '60'),
  TRIVIUM_USAGE_SECONDS: v.optional(positiveInteger, '60'),
  TRIVIUM_NOTICE_DAYS: v.optional(keptDays, '30'),
  TRIVIUM_NOTICE_HYSTERESIS: v.optional(hysteresis, '1'),
  TRIVIUM_SMTP_URL: v.optional(smtpUrl),
  TRIVIUM_MAIL_FROM: v.optional(mailAddress),
  TRIVIUM_MAIL_TO: v.optional(mailAddresses),
  TRIVIUM_SPLIT_FLOOR: v.optional(splitFloor, '5%'),
  TRIVIUM_HISTORY_SECONDS: v.optional(historyInterval, '300'),
  TRIVIUM_HISTORY_DAYS: v.optional(keptDays, '400'),
  TRIVIUM_METRIC_TARGETS: v.optional(targetCount, '100'),
  TRIVIUM_HEAD_SECONDS: v.optional(positiveInteger, '20'),
  TRIVIUM_REQUEST_SECONDS: v.optional(positiveInteger, '300'),
  TRIVIUM_IDLE_SECONDS: v.optional(positiveInteger, '65'),
  TRIVIUM_STALLED_SECONDS: v.optional(positiveInteger, '60'),
  TRIVIUM_MAX_CONNECTIONS: v.optional(positiveInteger, '10000'),
  TRIVIUM_AUDIT_LOG: v.optional(text),
  TRIVIUM_TRUST_PROXY: v.optional(networks, ''),
  TRIVIUM_USER_HEADER: v.optional(userHeader),
})

/** The names of all settings, as variables and in the file of `--config`. */
export const settingNames = Object.keys(schema.entries)

/** Returns the line of a setting in `--help`. */
export function settingHelp(name: string): string {
  const flag = Object.values(flags).find(({ variable }) => variable === name)
  return flag?.help ?? Object.entries(variables).find(([variable]) => variable === name)?.[1] ?? ''
}

export type Settings = v.InferOutput<typeof schema>

export function projectsDirectory({ TRIVIUM_PROJECTS_DIR, TRIVIUM_DATA_DIR }: Settings): string {
  return resolve(TRIVIUM_PROJECTS_DIR ?? join(TRIVIUM_DATA_DIR, 'projects'))
}

/** Checks settings as variables have them, by their names. */
export const parseSettings = (given: Readonly<Record<string, unknown>>) => v.safeParse(schema, given)

/** Describes what is wrong with the value of a setting. */
export function settingMistake(name: string, value: string): string | undefined {
  const [, entry] = Object.entries(schema.entries).find(([setting]) => setting === name) ?? []
  return entry && v.safeParse(entry, value).issues?.[0].message
}
