import { Refusal } from '@trivium/emulation-core/ports'

/** VPCS splits longer lines of a script, and runs the rest as a command. */
export const LONGEST_COMMAND = 120
const LONGEST_SCRIPT = 10_000

/** Commands that affect only the virtual PC and its working directory. */
const harmless: ReadonlySet<string> = new Set([
  '?',
  'arp',
  'clear',
  'dhcp',
  'disconnect',
  'echo',
  'help',
  'history',
  'ip',
  'ping',
  'quit',
  'save',
  'set',
  'show',
  'sleep',
  'trace',
  'version',
])

/**
 * `!` runs programs of the host. `rlogin` and `relay` open connections to any address. `load` runs a script that can
 * have changed since it was checked.
 */
const harmful = ['!', 'load', 'relay', 'rlogin'] as const

/** Arguments of `set` that are allowed. Others send the frames of the link to any address. */
const harmlessSettings: ReadonlySet<string> = new Set(['?', 'dump', 'echo', 'pcname'])
const harmfulSettings = ['lport', 'rhost', 'rport'] as const

/** VPCS accepts every beginning of a command for the command. */
function isPrefix(word: string, names: Iterable<string>): boolean {
  for (const name of names) if (name.startsWith(word)) return true
  return false
}

const isAllowedWord = (word: string, allowed: ReadonlySet<string>, forbidden: Iterable<string>): boolean =>
  isPrefix(word, allowed) && !isPrefix(word, forbidden)

/**
 * Whether the command is allowed to every user of the console. Unknown commands are refused: newer versions of VPCS can
 * have more.
 */
export function isHarmlessCommand(line: string): boolean {
  if (line.trim() === '') return true
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  if (line.length > LONGEST_COMMAND || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(line)) return false
  const [verb = '', argument = '?'] = line.trim().split(/[ \t]+/)
  if (/^[1-9]$/.test(verb)) return true
  if (!isAllowedWord(verb, harmless, harmful)) return false
  return !'set'.startsWith(verb) || isAllowedWord(argument, harmlessSettings, harmfulSettings)
}

const isComment = (line: string) => /^[#;]/.test(line) && line.length <= LONGEST_COMMAND

/** Throws a `Refusal` for a script with a command that is not allowed. Lines that begin with `#` or `;` are comments. */
export function requireHarmlessScript(script: string): void {
  const lines = script.split(/\r\n|\r|\n/)
  if (lines.length > LONGEST_SCRIPT) throw new Refusal('not-allowed', 'The startup script has more than 10,000 lines.')
  const at = lines.findIndex((line) => !isComment(line) && !isHarmlessCommand(line))
  if (at < 0) return
  const shown = (lines[at] ?? '').slice(0, LONGEST_COMMAND).replace(/\p{Cc}/gu, '?')
  throw new Refusal('not-allowed', `This server does not allow line ${at + 1} of the startup script: ${shown}`)
}
