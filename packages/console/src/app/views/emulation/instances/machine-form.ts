import type { Availability } from '../kinds/availability.ts'
import type { MachineWire } from '../kinds/instance.ts'
import { type FormField, type FormValues, labelledChoices, plainChoices, textReader } from './form-field.ts'

const consoleTypes = ['telnet', 'vnc', 'spice', 'spice+agent', 'none'] as const
const diskInterfaces = ['ide', 'sata', 'scsi', 'virtio', 'nvme', 'none'] as const

const bootOrders = {
  c: 'Disk',
  d: 'CD-ROM',
  n: 'Network',
  cd: 'Disk, then CD-ROM',
  cn: 'Disk, then network',
  dc: 'CD-ROM, then disk',
  dn: 'CD-ROM, then network',
  nc: 'Network, then disk',
  nd: 'Network, then CD-ROM',
} as const satisfies Record<MachineWire['boot_priority'], string>

const closeActions = {
  power_off: 'Power off',
  shutdown_signal: 'Shut down, and power off after a time limit',
} as const satisfies Record<MachineWire['on_close'], string>

const IN_IMAGES = "A file in the server's images directory"

/** Returns the fields of a QEMU machine, without the name. */
export function machineFields({ machinePrograms, diskImages }: Availability): readonly FormField[] {
  const image = { type: 'text', suggestions: diskImages } as const
  const disk = { ...image, group: 'Disks' } as const
  const diskInterface = { type: 'text', choices: plainChoices(diskInterfaces), group: 'Disks' } as const
  return [
    { name: 'emu1_path', label: 'Program', type: 'text', required: true, choices: plainChoices(machinePrograms) },
    { name: 'ram', label: 'Memory in MiB', type: 'number', min: 1, max: 1_048_576 },
    { name: 'cpus', label: 'Processors', type: 'number', min: 1, max: 255 },
    { name: 'hda_disk_image', label: 'Disk image', ...image, hint: IN_IMAGES },
    { name: 'adapters', label: 'Network adapters', type: 'number', min: 0, max: 275 },
    { name: 'hda_disk_interface', label: 'Interface of the first disk', ...diskInterface },
    { name: 'hdb_disk_image', label: 'Second disk image', ...disk },
    { name: 'hdb_disk_interface', label: 'Interface of the second disk', ...diskInterface },
    { name: 'hdc_disk_image', label: 'Third disk image', ...disk },
    { name: 'hdc_disk_interface', label: 'Interface of the third disk', ...diskInterface },
    { name: 'hdd_disk_image', label: 'Fourth disk image', ...disk },
    { name: 'hdd_disk_interface', label: 'Interface of the fourth disk', ...diskInterface },
    { name: 'cdrom_image', label: 'CD-ROM image', ...disk },
    { name: 'uefi', label: 'Start by UEFI', type: 'check', group: 'Firmware' },
    {
      name: 'boot_priority',
      label: 'Boot order',
      type: 'text',
      choices: labelledChoices(bootOrders),
      group: 'Firmware',
      hint: 'Without effect on UEFI, which keeps its own order',
    },
    { name: 'kernel_image', label: 'Kernel', ...image, group: 'Firmware', hint: IN_IMAGES },
    { name: 'initrd', label: 'Initial RAM disk', ...image, group: 'Firmware' },
    { name: 'kernel_command_line', label: 'Kernel command line', type: 'text', group: 'Firmware' },
    {
      name: 'adapter_type',
      label: 'Model of the adapters',
      type: 'text',
      suggestions: ['e1000', 'e1000e', 'i82559er', 'pcnet', 'rtl8139', 'virtio-net-pci', 'vmxnet3'],
      required: true,
      group: 'Network',
    },
    {
      name: 'mac_address',
      label: 'MAC address',
      type: 'text',
      group: 'Network',
      hint: 'Of the first adapter; each further one has the next. Empty for one from the id of the machine',
    },
    {
      name: 'console_type',
      label: 'Console type',
      type: 'text',
      choices: plainChoices(consoleTypes),
      group: 'Console',
    },
    {
      name: 'on_close',
      label: 'When it is stopped',
      type: 'text',
      choices: labelledChoices(closeActions),
      group: 'Console',
    },
    {
      name: 'options',
      label: 'Further options',
      type: 'text',
      group: 'Options and note',
      hint: 'Options of the QEMU command line',
    },
    { name: 'usage', label: 'Note for users', type: 'lines', group: 'Options and note' },
  ]
}

const usualProgram = (programs: readonly string[]): string =>
  programs.find((program) => program.endsWith('/qemu-system-x86_64')) ?? programs[0] ?? ''

/** Returns the values of a new QEMU machine. */
export const machineDefaults = ({ machinePrograms }: Availability) => ({
  emu1_path: usualProgram(machinePrograms),
  ram: '256',
  cpus: '1',
  hda_disk_image: '',
  hda_disk_interface: 'ide',
  hdb_disk_image: '',
  hdb_disk_interface: 'ide',
  hdc_disk_image: '',
  hdc_disk_interface: 'ide',
  hdd_disk_image: '',
  hdd_disk_interface: 'ide',
  cdrom_image: '',
  uefi: false,
  boot_priority: 'c',
  kernel_image: '',
  initrd: '',
  kernel_command_line: '',
  adapters: '1',
  adapter_type: 'e1000',
  mac_address: '',
  console_type: 'telnet',
  on_close: 'power_off',
  options: '',
  usage: '',
})

/** Returns the values of a QEMU machine that exists. */
export const machineValues = (wire: MachineWire): ReturnType<typeof machineDefaults> => ({
  emu1_path: wire.emu1_path,
  ram: String(wire.ram),
  cpus: String(wire.cpus),
  hda_disk_image: wire.hda_disk_image,
  hda_disk_interface: wire.hda_disk_interface,
  hdb_disk_image: wire.hdb_disk_image,
  hdb_disk_interface: wire.hdb_disk_interface,
  hdc_disk_image: wire.hdc_disk_image,
  hdc_disk_interface: wire.hdc_disk_interface,
  hdd_disk_image: wire.hdd_disk_image,
  hdd_disk_interface: wire.hdd_disk_interface,
  cdrom_image: wire.cdrom_image,
  uefi: wire.uefi,
  boot_priority: wire.boot_priority,
  kernel_image: wire.kernel_image,
  initrd: wire.initrd,
  kernel_command_line: wire.kernel_command_line,
  adapters: String(wire.adapters),
  adapter_type: wire.adapter_type,
  mac_address: wire.mac_address,
  console_type: wire.console_type,
  on_close: wire.on_close,
  options: wire.options,
  usage: wire.usage,
})

/** Returns the value if it is one of the list, otherwise the first of the list. */
const oneOf = <Value extends string>(values: readonly [Value, ...Value[]], text: string): Value =>
  values.find((value) => value === text) ?? values[0]

const isKey = <Key extends string>(labels: Readonly<Record<Key, string>>, text: string): text is Key =>
  Object.hasOwn(labels, text)

/** Converts the values of a QEMU machine to the fields of a request. */
export function machineBody(values: FormValues) {
  const text = textReader(values)
  const diskInterface = (name: string) => oneOf(diskInterfaces, text(name))
  const [bootOrder, closeAction] = [text('boot_priority'), text('on_close')]
  return {
    emu1_path: text('emu1_path'),
    ram: Number(text('ram')),
    cpus: Number(text('cpus')),
    hda_disk_image: text('hda_disk_image'),
    hda_disk_interface: diskInterface('hda_disk_interface'),
    hdb_disk_image: text('hdb_disk_image'),
    hdb_disk_interface: diskInterface('hdb_disk_interface'),
    hdc_disk_image: text('hdc_disk_image'),
    hdc_disk_interface: diskInterface('hdc_disk_interface'),
    hdd_disk_image: text('hdd_disk_image'),
    hdd_disk_interface: diskInterface('hdd_disk_interface'),
    cdrom_image: text('cdrom_image'),
    uefi: values.uefi === true,
    boot_priority: isKey(bootOrders, bootOrder) ? bootOrder : 'c',
    kernel_image: text('kernel_image'),
    initrd: text('initrd'),
    kernel_command_line: text('kernel_command_line'),
    adapters: Number(text('adapters')),
    adapter_type: text('adapter_type'),
    mac_address: text('mac_address').trim(),
    console_type: oneOf(consoleTypes, text('console_type')),
    on_close: isKey(closeActions, closeAction) ? closeAction : 'power_off',
    options: text('options'),
    usage: text('usage'),
  } as const
}
