import { Refusal } from '@trivium/emulation-core/ports'
import { shellWords, UnreadableWords } from '../processes/shell-words.ts'
import { escaped } from './escaped.ts'
import { harmlessFlags, harmlessOptions, replacements } from './option-rules.ts'

/** The most words of the options. */
const MAX_WORDS = 256
const LONGEST_LINE = 8192

const aliases: Readonly<Record<string, string>> = { M: 'machine' }

/** Fields of the instance that replace these options. */
const fieldOf: Readonly<Record<string, string>> = {
  m: 'memory size',
  name: 'name',
  hda: 'hda disk image',
  hdb: 'hdb disk image',
  hdc: 'hdc disk image',
  hdd: 'hdd disk image',
  cdrom: 'CD-ROM image',
  bios: 'BIOS image',
  pflash: 'UEFI',
  vnc: 'console type',
  spice: 'console type',
  kernel: 'kernel image',
  initrd: 'initrd',
  append: 'kernel command line',
  net: 'adapters',
  netdev: 'adapters',
  nic: 'adapters',
  serial: 'console',
  monitor: 'monitor',
}

/** What the options of a machine can name by `%vm-name%`, `%vm-id%` and `%project-id%`. */
export interface OptionNames {
  readonly 'vm-name': string
  readonly 'vm-id': string
  readonly 'project-id': string
}

/** Names for a check of options before the machine exists. */
export const sampleNames: OptionNames = {
  'vm-name': 'machine',
  'vm-id': '00000000-0000-4000-8000-000000000000',
  'project-id': '00000000-0000-4000-8000-000000000000',
}

export interface ReadOptions {
  /** Allows everything that can be split. */
  readonly trusted: boolean
  /** @default {@link sampleNames} */
  readonly names?: OptionNames
}

/**
 * Splits the options of a machine and refuses all that can use a resource of the host: a file, socket, script, device or
 * process. Only options of a list are allowed, so that those of future versions are refused. Their arguments are read as
 * QEMU reads them, and written again from what was read.
 *
 * @returns the words for the program's command line
 */
export function readOptions(line: string, { trusted, names = sampleNames }: ReadOptions): readonly string[] {
  const words = split(line).map((word) =>
    word.replace(/%(vm-name|vm-id|project-id)%/g, (_found, name: keyof OptionNames) => escaped(names[name])),
  )
  if (trusted) return words
  const allowed: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const name = optionName(word)
    if (name === undefined) throw refused(`'${word}' is not an option. Set a disk as the hda or hdb disk image`)
    if (harmlessFlags.has(name)) {
      allowed.push(word)
      continue
    }
    const next = words[at + 1]
    const replacement = next !== undefined && Object.hasOwn(replacements, name) ? replacements[name]?.(next) : undefined
    if (replacement !== undefined) {
      allowed.push(...replacement)
      at += 1
      continue
    }
    const rule = Object.hasOwn(harmlessOptions, name) ? harmlessOptions[name] : undefined
    if (rule === undefined) {
      const field = Object.hasOwn(fieldOf, name) ? fieldOf[name] : undefined
      throw refused(field === undefined ? `option '${word}'` : `option '${word}': set the ${field} instead`)
    }
    if (next === undefined) throw refused(`option '${word}' without a value`)
    const value = rule(next)
    if (value === undefined) throw refused(`option '${word} ${next}'`)
    allowed.push(word, value)
    at += 1
  }
  return allowed
}

/** Whether the options set the accelerator. */
export const chooseAcceleration = (words: readonly string[]): boolean =>
  words.some((word, at) => {
    const name = optionName(word)
    if (name === 'accel' || name === 'enable-kvm' || name === 'no-kvm') return true
    return name === 'machine' && /(^|,)accel=/.test(words[at + 1] ?? '')
  })

function optionName(word: string): string | undefined {
  const name = /^--?([A-Za-z][\w-]*)$/.exec(word)?.[1]
  return name === undefined ? undefined : (aliases[name] ?? name)
}

function split(line: string): readonly string[] {
  if (line.length > LONGEST_LINE) throw refused(`more than ${LONGEST_LINE} characters`)
  try {
    const words = shellWords(line)
    if (words.length > MAX_WORDS) throw refused(`more than ${MAX_WORDS} words`)
    return words
  } catch (error) {
    if (error instanceof UnreadableWords) throw refused(error.message)
    throw error
  }
}

const refused = (what: string) => new Refusal('not-allowed', `This server does not allow these options: ${what}`)
