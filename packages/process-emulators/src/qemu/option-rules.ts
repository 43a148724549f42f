import { type Properties, readProperties, writeProperties } from './option-properties.ts'

/** Returns the argument as QEMU gets it, or `undefined` for one that is not allowed. */
export type Rule = (value: string) => string | undefined

const matches =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value) ? value : undefined

interface PropertyRule {
  /** The property of a first item without a name. */
  readonly implied?: string
  readonly allowed: Readonly<Record<string, RegExp>>
}

/** Allows these properties, each with its values, in every spelling of QEMU. */
const properties =
  ({ implied, allowed }: PropertyRule): Rule =>
  (value) => {
    const read = readProperties(value, implied)
    return read !== undefined && isAllowed(read, allowed) ? writeProperties(read, implied) : undefined
  }

const isAllowed = (read: Properties, allowed: PropertyRule['allowed']) =>
  read.every(([name, value]) => Object.hasOwn(allowed, name) && (allowed[name]?.test(value) ?? false))

const ON_OFF = /^(on|off|yes|no|true|false)$/
const AUTO = /^(on|off|auto)$/
const NUMBER = /^\d{1,6}$/
/** Numbers of up to 32 bits, and addresses of a bus. */
/** A card has at most 256 MB. */
const SCREEN_MEGABYTES = /^(\d{1,2}|1\d\d|2[0-4]\d|25[0-6])$/
const PLACE = /^(0x)?[\da-f]{1,8}(\.[\da-f]{1,2})?$/i
const WORD = /^[\w.-]{1,64}$/
/** Serial numbers, names of products and licences. No property with such a text opens what it names. */
const TEXT = /^[\w ,.:;/()+=@#*'!?&%-]{0,512}$/
const ACCELERATORS = /^(tcg|kvm|hvf|whpx|nvmm)(:(tcg|kvm|hvf|whpx|nvmm))*$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const PROCESSORS = /^([1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/

/** Devices that use no resource of the host. Those of disks attach a drive of the instance. */
const DEVICES = new RegExp(
  `^(${[
    'virtio-(rng|balloon|keyboard|mouse|tablet|gpu|scsi|blk|serial)-pci',
    'virtio-vga|VGA|cirrus-vga|vmware-svga|qxl-vga|qxl|bochs-display|secondary-vga',
    'usb-(tablet|kbd|mouse|hub|storage|ehci)',
    'piix[34]-usb-uhci|ich9-usb-ehci[12]|ich9-usb-uhci[1-6]|nec-usb-xhci|qemu-xhci|pci-ohci',
    'ahci|ich9-ahci|piix[34]-ide|lsi53c895a|lsi53c810|megasas|megasas-gen2|mptsas1068|pvscsi|am53c974',
    'ide-hd|ide-cd|scsi-hd|scsi-cd|nvme|sd-card',
    'i6300esb|ib700|pvpanic|pvpanic-pci|vmcoreinfo|vmgenid|isa-applesmc',
    'intel-iommu|amd-iommu|pci-bridge|i82801b11-bridge|pcie-root-port|pcie-pci-bridge|ioh3420|x3130-upstream|xio3130-downstream',
  ].join('|')})$`,
)

/** Properties that two or more of these devices have, and that name no resource of the host. */
const device = properties({
  implied: 'driver',
  allowed: {
    driver: DEVICES,
    id: WORD,
    bus: WORD,
    addr: PLACE,
    port: PLACE,
    chassis: NUMBER,
    chassis_nr: NUMBER,
    slot: NUMBER,
    multifunction: ON_OFF,
    bootindex: NUMBER,
    drive: /^hd[abcd]$/,
    unit: NUMBER,
    lun: NUMBER,
    channel: NUMBER,
    'scsi-id': NUMBER,
    'num-queues': NUMBER,
    logical_block_size: NUMBER,
    physical_block_size: NUMBER,
    rotation_rate: NUMBER,
    cyls: NUMBER,
    heads: NUMBER,
    secs: NUMBER,
    removable: ON_OFF,
    serial: WORD,
    model: TEXT,
    osk: TEXT,
    guid: /^(auto|[\da-f-]{36})$/i,
    vgamem_mb: SCREEN_MEGABYTES,
    ram_size_mb: SCREEN_MEGABYTES,
    vram_size_mb: SCREEN_MEGABYTES,
    xres: NUMBER,
    yres: NUMBER,
    edid: ON_OFF,
    max_outputs: NUMBER,
    intremap: AUTO,
    'caching-mode': ON_OFF,
    'device-iotlb': ON_OFF,
    'disable-legacy': AUTO,
    'disable-modern': ON_OFF,
  },
})

/** Options that take no argument in any version of the program. */
export const harmlessFlags: ReadonlySet<string> = new Set([
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

/** Options that take one argument in every version of the program, with the rule for the argument. */
export const harmlessOptions: Readonly<Record<string, Rule>> = {
  accel: properties({
    implied: 'accel',
    allowed: { accel: ACCELERATORS, thread: /^(single|multi)$/, 'kernel-irqchip': /^(on|off|split)$/ },
  }),
  action: properties({ allowed: { reboot: WORD, shutdown: WORD, panic: WORD, watchdog: WORD } }),
  boot: properties({
    implied: 'order',
    allowed: {
      order: /^[a-dnp]{1,8}$/,
      once: /^[a-dnp]{1,8}$/,
      menu: ON_OFF,
      strict: ON_OFF,
      'splash-time': NUMBER,
      'reboot-timeout': /^(-1|\d{1,6})$/,
    },
  }),
  // Its features are separated by commas that cannot be escaped.
  cpu: matches(/^[\w.+-]{1,64}(,[+-]?[\w.][\w.-]{0,63}(=[\w.-]{1,64})?){0,64}$/),
  device,
  display: matches(/^none$/),
  fw_cfg: properties({
    implied: 'name',
    allowed: { name: /^opt\/(?!ovmf|.*\.\.)[\w.-]{1,32}(\/[\w.-]{1,32}){0,4}$/, string: TEXT },
  }),
  global: matches(
    /^[\w-]{1,64}\.((disable_s3|disable_s4|lost_tick_policy|cyls|heads|secs|bios-chs-trans)=\w{1,16}|vgamem_mb=\d{1,2})$/,
  ),
  icount: properties({
    implied: 'shift',
    allowed: { shift: /^(auto|\d{1,2})$/, align: ON_OFF, sleep: ON_OFF },
  }),
  machine: properties({
    implied: 'type',
    allowed: {
      type: WORD,
      accel: ACCELERATORS,
      acpi: AUTO,
      'dump-guest-core': ON_OFF,
      graphics: ON_OFF,
      hpet: ON_OFF,
      i8042: ON_OFF,
      'kernel-irqchip': /^(on|off|split)$/,
      kernel_irqchip: /^(on|off|split)$/,
      'max-ram-below-4g': /^\d{1,10}[KMG]?$/i,
      'mem-merge': ON_OFF,
      pit: ON_OFF,
      sata: ON_OFF,
      smbus: ON_OFF,
      'smbios-entry-point-type': /^(32|64|auto)$/,
      smm: AUTO,
      usb: ON_OFF,
      vmport: AUTO,
    },
  }),
  rtc: properties({
    allowed: {
      base: /^(utc|localtime|\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?)$/,
      clock: /^(host|rt|vm)$/,
      driftfix: /^(none|slew)$/,
    },
  }),
  smbios: properties({
    allowed: {
      type: /^([0-4]|11|17)$/,
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
      value: TEXT,
      vendor: TEXT,
      version: TEXT,
    },
  }),
  smp: properties({
    implied: 'cpus',
    allowed: {
      cpus: PROCESSORS,
      cores: PROCESSORS,
      threads: PROCESSORS,
      sockets: PROCESSORS,
      dies: PROCESSORS,
      maxcpus: PROCESSORS,
    },
  }),
  usbdevice: matches(/^(tablet|mouse|keyboard)$/),
  uuid: matches(UUID),
  vga: matches(/^(std|cirrus|vmware|qxl|virtio|none)$/),
  watchdog: matches(/^(i6300esb|ib700)$/),
  'watchdog-action': matches(/^(reset|shutdown|poweroff|inject-nmi|pause|debug|none)$/),
}

/** Devices of sound, which play to nothing. */
const sounds: Readonly<Record<string, readonly string[]>> = {
  ac97: ['-device', 'AC97,audiodev=silent'],
  es1370: ['-device', 'ES1370,audiodev=silent'],
  hda: ['-device', 'intel-hda', '-device', 'hda-duplex,audiodev=silent'],
}

/** Options that QEMU no longer has, or that the instance has anyway, with the words that replace them. */
export const replacements: Readonly<Record<string, (value: string) => readonly string[] | undefined>> = {
  // The first serial port is the console.
  serial: (value) => (value === 'stdio' || value === 'mon:stdio' ? [] : undefined),
  monitor: (value) => (value === 'none' || value === 'stdio' ? [] : undefined),
  hdachs: (value) => {
    const [, cyls, heads, secs] = /^(\d{1,5}),(\d{1,3}),(\d{1,3})$/.exec(value) ?? []
    return cyls === undefined
      ? undefined
      : ['-global', `ide-hd.cyls=${cyls}`, '-global', `ide-hd.heads=${heads}`, '-global', `ide-hd.secs=${secs}`]
  },
  soundhw: (value) =>
    Object.hasOwn(sounds, value) ? ['-audiodev', 'none,id=silent', ...(sounds[value] ?? [])] : undefined,
}
