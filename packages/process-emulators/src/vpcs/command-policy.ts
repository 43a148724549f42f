import { Refusal } from '@trivium/emulation-core/ports'

/** The program cuts longer lines of a script, and takes the rest for a command of its own. */
export const LONGEST_COMMAND = 120
const LONGEST_SCRIPT = 10_000

/** Commands that reach nothing but the virtual PC and the directory that it runs in. */
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
 * `!` runs programs of the host; `rlogin` and `relay` open connections to any address; `load` runs a script that anyone
 * may have replaced since somebody looked at it.
 */
const harmful = ['!', 'load', 'relay', 'rlogin'] as const

/** What `set` may change; its other words send the link's frames to any address. */
const harmlessSettings: ReadonlySet<string> = new Set(['?', 'dump', 'echo', 'pcname'])
const harmfulSettings = ['lport', 'rhost', 'rport'] as const

/** The program takes every beginning of a word for the word. */
function isBeginning(word: string, names: Iterable<string>): boolean {
  for (const name of names) if (name.startsWith(word)) return true
  return false
}

const mayBe = (word: string, allowed: ReadonlySet<string>, forbidden: Iterable<string>): boolean =>
  isBeginning(word, allowed) && !isBeginning(word, forbidden)

/**
 * Whether anyone who reaches the console may give this command. Words that are not known are left to newer versions of
 * the program to be asked for here.
 */
export function isHarmlessCommand(line: string): boolean {
  if (line.trim() === '') return true
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (line.length > LONGEST_COMMAND || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(line)) return false
  const [verb = '', what = '?'] = line.trim().split(/[ \t]+/)
  if (/^[1-9]$/.test(verb)) return true
  if (!mayBe(verb, harmless, harmful)) return false
  return !'set'.startsWith(verb) || mayBe(what, harmlessSettings, harmfulSettings)
}

const isComment = (line: string) => /^[#;]/.test(line) && line.length <= LONGEST_COMMAND

/** Rejects a script with a command that is not allowed, naming the line. Lines that begin with `#` or `;` are comments. */
export function requireHarmlessScript(script: string): void {
  const lines = script.split(/\r\n|\r|\n/)
  if (lines.length > LONGEST_SCRIPT) throw new Refusal('not-allowed', 'The startup script has too many lines')
  const at = lines.findIndex((line) => !isComment(line) && !isHarmlessCommand(line))
  if (at < 0) return
  const shown = (lines[at] ?? '').slice(0, LONGEST_COMMAND).replace(/\p{Cc}/gu, '?')
  throw new Refusal('not-allowed', `This server does not allow line ${at + 1} of the startup script: ${shown}`)
}
