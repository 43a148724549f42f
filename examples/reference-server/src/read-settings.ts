import { parseArgs } from 'node:util'
import { isLoopback } from '@trivium/http-contract'
import type { ConfigFile } from './config/config-file.ts'
import { flags, parseSettings, type Settings, SettingsError, settingNames, variables } from './settings.ts'

/** What the command line asks for. */
export type Request =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'check' | 'serve'; readonly configuration: Configuration }

/** The settings of a server, and the file of `--config` with all that variables cannot say. */
export interface Configuration {
  readonly settings: Settings
  /** Absent without `--config`. */
  readonly config?: ConfigFile
}

/**
 * Reads the settings. Flags have precedence over variables, and variables over the file that `--config` names.
 *
 * @param text the content of that file, where it was read before
 * @throws SettingsError for the first mistake, and for all mistakes of the file
 */
export async function readSettings(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  text?: string,
): Promise<Request> {
  const given = parseFlags(args)
  if (given.help) return { kind: 'print', text: helpText() }
  if (given.version) return { kind: 'print', text: (await import('./version.ts')).version }
  if (given['print-config-schema']) {
    const { configJsonSchema } = await import('./config/schema/json-schema.ts')
    return { kind: 'print', text: JSON.stringify(configJsonSchema(), undefined, 2) }
  }
  const configuration = await readConfiguration(given, environment, text)
  if (!given['check-config']) return { kind: 'serve', configuration }
  if (!configuration.config) throw new SettingsError('--check-config needs a file. Name it with --config.')
  return { kind: 'check', configuration }
}

async function readConfiguration(
  given: Given,
  environment: NodeJS.ProcessEnv,
  text: string | undefined,
): Promise<Configuration> {
  const named: Record<string, string> = {}
  for (const name of settingNames) {
    const value = environment[name]
    if (value) named[name] = value
  }
  const flagged: Record<string, string> = {}
  for (const [flag, { variable }] of Object.entries(flags)) {
    const value = given[flag]
    if (typeof value === 'string') flagged[variable] = value
  }
  const file = given.config ?? (environment.TRIVIUM_CONFIG || undefined)
  if (typeof file !== 'string') return { settings: checked({ ...named, ...flagged }) }
  const { readConfigFile, withoutReferenced } = await import('./config/read/read-config-file.ts')
  const config = readConfigFile(file, { environment, given: { ...named, ...flagged }, text })
  const settings = checked({ ...config.variables, ...withoutReferenced(named, config.referenced), ...flagged })
  return { settings, config }
}

function checked(given: Readonly<Record<string, string>>): Settings {
  const result = parseSettings(given)
  if (!result.success) throw new SettingsError(issueMessage(result.issues[0], given))
  const { TRIVIUM_TLS_CERT: certificate, TRIVIUM_TLS_KEY: key } = result.output
  if ((certificate === undefined) !== (key === undefined)) {
    throw new SettingsError('--tls-cert and --tls-key must be given together.')
  }
  const { TRIVIUM_SMTP_URL, TRIVIUM_MAIL_FROM, TRIVIUM_MAIL_TO } = result.output
  const ofMail = [TRIVIUM_SMTP_URL, TRIVIUM_MAIL_FROM, TRIVIUM_MAIL_TO].filter((value) => value !== undefined)
  if (ofMail.length === 1 || ofMail.length === 2) {
    throw new SettingsError('TRIVIUM_SMTP_URL, TRIVIUM_MAIL_FROM and TRIVIUM_MAIL_TO must be given together.')
  }
  const { TRIVIUM_AUTH: auth, HOST: host, TRIVIUM_TRUST_PROXY: proxies } = result.output
  if (auth === 'off' && (!isLoopback(host) || proxies.length > 0)) {
    throw new SettingsError(
      'TRIVIUM_AUTH=off makes every caller the admin, so it needs a loopback address as --host, such as 127.0.0.1, and no TRIVIUM_TRUST_PROXY.',
    )
  }
  if (result.output.TRIVIUM_USER_HEADER !== undefined && proxies.length === 0) {
    throw new SettingsError('TRIVIUM_USER_HEADER needs TRIVIUM_TRUST_PROXY: any client could send the header.')
  }
  const { TRIVIUM_CONSOLE_HOST: consoleHost, TRIVIUM_CONSOLE_PASSWORD, TRIVIUM_CONSOLE_SOURCES } = result.output
  if (!isLoopback(consoleHost) && TRIVIUM_CONSOLE_PASSWORD === undefined && TRIVIUM_CONSOLE_SOURCES === undefined) {
    throw new SettingsError(
      'TRIVIUM_CONSOLE_HOST is not a loopback address. Set TRIVIUM_CONSOLE_PASSWORD or TRIVIUM_CONSOLE_SOURCES too.',
    )
  }
  return result.output
}

type Issue = NonNullable<ReturnType<typeof parseSettings>['issues']>[0]

/** Describes a mistake, without the value where it may be a secret. */
function issueMessage({ path, input, message }: Issue, written: Readonly<Record<string, string>>): string {
  const name = String(path?.[0].key)
  const [flag] = Object.entries(flags).find(([, { variable }]) => variable === name) ?? []
  // A list that a schema has made of the text is not what the user wrote.
  const value = typeof input === 'object' ? written[name] : input
  const given = /PASSWORD|KEY$|URL|HOST/.test(name) ? '' : `, not ${JSON.stringify(value)}`
  return `${name}${flag === undefined ? '' : ` (--${flag})`} ${message}${given}. See --help.`
}

type Given = Readonly<Record<string, string | boolean | undefined>>

function parseFlags(args: readonly string[]): Given {
  const strings = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...strings,
        'check-config': { type: 'boolean' },
        'print-config-schema': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
      allowPositionals: false,
    }).values
  } catch (error) {
    throw new SettingsError(`${error instanceof Error ? error.message.split('.')[0] : error}. See --help.`)
  }
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
    `  ${'--check-config'.padEnd(width)}check the file and end, with 0 or 1`,
    `  ${'--print-config-schema'.padEnd(width)}print the JSON Schema of the file`,
    `  ${'--help, --version'.padEnd(width)}print this text, print the version`,
    '',
    'Variables (defaults in parentheses), which the file may set in lower case:',
    ...variableLines,
  ].join('\n')
}
