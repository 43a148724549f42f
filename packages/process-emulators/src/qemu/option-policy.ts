import { Refusal } from '@trivium/emulation-core/ports'
import { shellWords, UnreadableWords } from './shell-words.ts'

/** The most words of the options. */
const MAX_WORDS = 256
const LONGEST_LINE = 8192

/** Whether the value of an option is allowed. */
type Rule = (value: string) => boolean

const matches =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value)

/** Allows `name=value` pairs of these names, separated by commas. The first item can be a word that matches `head`. */
const properties = (allowed: Readonly<Record<string, RegExp>>, head?: RegExp): Rule => {
  return (value) =>
    value.split(',').every((item, index) => {
      const equals = item.indexOf('=')
      if (equals < 0) return index === 0 && head !== undefined && head.test(item)
      const name = item.slice(0, equals)
      return Object.hasOwn(allowed, name) && (allowed[name]?.test(item.slice(equals + 1)) ?? false)
    })
}

const ON_OFF = /^(on|off|yes|no)$/
const NUMBER = /^\d{1,6}$/
const WORD = /^[\w.-]{1,64}$/
const TEXT = /^[\w .:/()+-]{0,128}$/
const ACCELERATORS = /^(tcg|kvm|hvf|whpx|nvmm)(:(tcg|kvm|hvf|whpx|nvmm))*$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Options that take no argument in any version of the program. */
const harmlessFlags: ReadonlySet<string> = new Set([
  'S',
  'enable-kvm',
  'no-acpi',
  'no-fd-bootchk',
  'no-hpet',
  'no-kvm',
  'no-reboot',
  'no-shutdown',
  'no-user-config',
  'nodefaults',
  'nographic',
  'usb',
  'win2k-hack',
])

/** Devices that use no resource of the host. */
const HARMLESS_DEVICES =
  /^(virtio-rng-pci|virtio-balloon-pci|virtio-keyboard-pci|virtio-mouse-pci|virtio-tablet-pci|usb-tablet|usb-kbd|usb-mouse|piix3-usb-uhci|piix4-usb-uhci|ich9-usb-ehci1|ich9-usb-uhci[1-6]|usb-ehci|nec-usb-xhci|qemu-xhci|i6300esb|ib700|pvpanic|pvpanic-pci|intel-iommu|pci-bridge|i82801b11-bridge|pcie-root-port|ioh3420)$/

/** Options that take one argument in every version of the program, with the rule for the argument. */
const harmlessOptions: Readonly<Record<string, Rule>> = {
  accel: properties({ thread: /^(single|multi)$/, 'kernel-irqchip': /^(on|off|split)$/ }, ACCELERATORS),
  action: properties({ reboot: WORD, shutdown: WORD, panic: WORD, watchdog: WORD }),
  boot: properties(
    {
      order: /^[a-dnp]{1,8}$/,
      once: /^[a-dnp]{1,8}$/,
      menu: ON_OFF,
      strict: ON_OFF,
      'splash-time': NUMBER,
      'reboot-timeout': /^(-1|\d{1,6})$/,
    },
    /^[a-dnp]{1,8}$/,
  ),
  cpu: matches(/^[\w.+-]{1,64}(,[+-]?[\w.-]{1,64}(=[\w.-]{1,64})?){0,64}$/),
  device: properties(
    { id: WORD, bus: WORD, addr: WORD, port: WORD, chassis: NUMBER, chassis_nr: NUMBER },
    HARMLESS_DEVICES,
  ),
  display: matches(/^none$/),
  global: matches(/^[\w-]{1,64}\.(disable_s3|disable_s4|lost_tick_policy)=\w{1,16}$/),
  icount: properties({ shift: /^(auto|\d{1,2})$/, align: ON_OFF, sleep: ON_OFF }, /^(auto|\d{1,2})$/),
  machine: properties(
    {
      type: WORD,
      accel: ACCELERATORS,
      acpi: ON_OFF,
      graphics: ON_OFF,
      hpet: ON_OFF,
      i8042: ON_OFF,
      'kernel-irqchip': /^(on|off|split)$/,
      pit: ON_OFF,
      smm: /^(on|off|auto)$/,
      usb: ON_OFF,
      vmport: /^(on|off|auto)$/,
    },
    WORD,
  ),
  rtc: properties({
    base: /^(utc|localtime|\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?)$/,
    clock: /^(host|rt|vm)$/,
    driftfix: /^(none|slew)$/,
  }),
  smbios: properties({
    type: /^([0-4]|17)$/,
    asset: TEXT,
    bank: TEXT,
    date: TEXT,
    family: TEXT,
    loc_pfx: TEXT,
    manufacturer: TEXT,
    part: TEXT,
    product: TEXT,
    release: TEXT,
    serial: TEXT,
    sku: TEXT,
    sock_pfx: TEXT,
    uefi: ON_OFF,
    uuid: UUID,
    vendor: TEXT,
    version: TEXT,
  }),
  smp: properties(
    {
      cpus: /^\d{1,2}$/,
      cores: /^\d{1,2}$/,
      threads: /^\d{1,2}$/,
      sockets: /^\d{1,2}$/,
      dies: /^\d{1,2}$/,
      maxcpus: /^\d{1,2}$/,
    },
    /^\d{1,2}$/,
  ),
  usbdevice: matches(/^(tablet|mouse|keyboard)$/),
  uuid: matches(UUID),
  vga: matches(/^(std|cirrus|vmware|qxl|virtio|none)$/),
  watchdog: matches(/^(i6300esb|ib700)$/),
  'watchdog-action': matches(/^(reset|shutdown|poweroff|inject-nmi|pause|debug|none)$/),
}

const aliases: Readonly<Record<string, string>> = { M: 'machine' }

/** Fields of the instance that replace these options. */
const fieldOf: Readonly<Record<string, string>> = {
  m: 'memory size',
  name: 'name',
  hda: 'hda disk image',
  hdb: 'hdb disk image',
  kernel: 'kernel image',
  initrd: 'initrd',
  append: 'kernel command line',
  net: 'adapters',
  netdev: 'adapters',
  nic: 'adapters',
  serial: 'console',
  monitor: 'monitor',
}

/**
 * Splits the options of a machine and refuses all that can use a resource of the host: a file, socket, script, device or
 * process. Only options of a list are allowed, so that those of future versions are refused.
 *
 * @param trusted allows everything that can be split
 * @returns the words for the program's command line
 */
export function readOptions(line: string, { trusted }: { readonly trusted: boolean }): readonly string[] {
  const words = split(line)
  if (trusted) return words
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const name = optionName(word)
    if (name === undefined) throw refused(`'${word}' is not an option. Set a disk as the hda or hdb disk image`)
    if (harmlessFlags.has(name)) continue
    const rule = Object.hasOwn(harmlessOptions, name) ? harmlessOptions[name] : undefined
    if (rule === undefined) {
      const field = Object.hasOwn(fieldOf, name) ? fieldOf[name] : undefined
      throw refused(field === undefined ? `option '${word}'` : `option '${word}': set the ${field} instead`)
    }
    const value = words[at + 1]
    if (value === undefined) throw refused(`option '${word}' without a value`)
    if (!rule(value)) throw refused(`option '${word} ${value}'`)
    at += 1
  }
  return words
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
