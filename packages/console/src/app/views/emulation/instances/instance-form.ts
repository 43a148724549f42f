import type { Availability } from '../kinds/availability.ts'
import type { Instance } from '../kinds/instance.ts'
import type { Kind } from '../kinds/kinds.ts'

/** A field in the form of an instance. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'lines' | 'number' | 'check'
  readonly hint?: string
  readonly required?: boolean
  readonly min?: number
  readonly max?: number
  /** The only values of the field. */
  readonly choices?: readonly string[]
  /** Whether the field can be set only at the creation. */
  readonly isFixed?: boolean
}

/** The values of the form by the name of the field. */
export type FormValues = Readonly<Record<string, string | boolean>>

const memory = { name: 'ram', label: 'Memory in MiB', type: 'number', min: 1, max: 1_048_576 } as const

/** Returns the fields of a kind, without the name. */
export function formFields(kind: Kind, { machinePrograms, desktopVmNames }: Availability): readonly FormField[] {
  switch (kind) {
    case 'emu3':
      return [
        {
          name: 'startup_script',
          label: 'Startup script',
          type: 'lines',
          hint: 'Commands that run at each start, for example: ip 10.0.0.1/24',
        },
      ]
    case 'emu5':
    case 'nat':
      return []
    case 'cloud':
      return [
        {
          name: 'devices',
          label: 'Devices',
          type: 'lines',
          required: true,
          hint: 'Network devices of the server, one for each port: a TAP device, a bridge or an interface',
        },
      ]
    case 'emu1':
      return [
        { name: 'emu1_path', label: 'Program', type: 'text', required: true, choices: machinePrograms },
        memory,
        { name: 'adapters', label: 'Network adapters', type: 'number', min: 0, max: 275 },
        { name: 'adapter_type', label: 'Model of the adapters', type: 'text' },
        { name: 'cpus', label: 'Processors', type: 'number', min: 1, max: 255 },
        {
          name: 'console_type',
          label: 'Console',
          type: 'text',
          choices: consoleTypes,
        },
        { name: 'hda_disk_image', label: 'Disk image', type: 'text', hint: "A file in the server's images directory" },
        { name: 'kernel_image', label: 'Kernel', type: 'text', hint: "A file in the server's images directory" },
        { name: 'initrd', label: 'Initial RAM disk', type: 'text' },
        { name: 'kernel_command_line', label: 'Kernel command line', type: 'text' },
        { name: 'options', label: 'Further options', type: 'text', hint: 'Options of the QEMU command line' },
      ]
    case 'emu2':
      return [
        {
          name: 'path',
          label: 'Image',
          type: 'text',
          required: true,
          hint: "A file in the server's images directory",
        },
        memory,
        { name: 'ethernet_adapters', label: 'Ethernet adapters of 4 ports', type: 'number', min: 0, max: 16 },
        { name: 'serial_adapters', label: 'Serial adapters of 4 ports', type: 'number', min: 0, max: 16 },
        { name: 'initial_config_content', label: 'Initial configuration', type: 'lines' },
      ]
    case 'emu4':
      return [
        { name: 'vmname', label: 'Machine', type: 'text', required: true, choices: desktopVmNames },
        { name: 'linked_clone', label: 'As a linked clone', type: 'check', isFixed: true },
        { name: 'adapters', label: 'Network adapters', type: 'number', min: 0, max: 36 },
        { name: 'headless', label: 'Without a window on the server', type: 'check' },
        { name: 'enable_remote_console', label: 'With a console', type: 'check' },
      ]
  }
}

const usualProgram = (programs: readonly string[]): string =>
  programs.find((program) => program.endsWith('/qemu-system-x86_64')) ?? programs[0] ?? ''

/** Returns the values of a new instance. */
export function defaultValues(kind: Kind, { machinePrograms, desktopVmNames }: Availability): FormValues {
  switch (kind) {
    case 'emu3':
      return { startup_script: '' }
    case 'emu5':
    case 'nat':
      return {}
    case 'cloud':
      return { devices: '' }
    case 'emu1':
      return {
        emu1_path: usualProgram(machinePrograms),
        ram: '256',
        adapters: '1',
        adapter_type: 'e1000',
        cpus: '1',
        console_type: 'telnet',
        hda_disk_image: '',
        kernel_image: '',
        initrd: '',
        kernel_command_line: '',
        options: '',
      }
    case 'emu2':
      return { path: '', ram: '256', ethernet_adapters: '2', serial_adapters: '2', initial_config_content: '' }
    case 'emu4':
      return {
        vmname: desktopVmNames[0] ?? '',
        linked_clone: true,
        adapters: '1',
        headless: true,
        enable_remote_console: true,
      }
  }
}

/** Returns the values of an instance. The API does not return the configuration of a router: empty does not change it. */
export function currentValues({ kind, wire }: Instance): FormValues {
  switch (kind) {
    case 'emu3':
      return { startup_script: wire.startup_script ?? '' }
    case 'emu5':
    case 'nat':
      return {}
    case 'cloud':
      return { devices: devicesText(wire.ports) }
    case 'emu1':
      return {
        emu1_path: wire.emu1_path,
        ram: String(wire.ram),
        adapters: String(wire.adapters),
        adapter_type: wire.adapter_type,
        cpus: String(wire.cpus),
        console_type: wire.console_type,
        hda_disk_image: wire.hda_disk_image,
        kernel_image: wire.kernel_image,
        initrd: wire.initrd,
        kernel_command_line: wire.kernel_command_line,
        options: wire.options,
      }
    case 'emu2':
      return {
        path: wire.path,
        ram: String(wire.ram),
        ethernet_adapters: String(wire.ethernet_adapters),
        serial_adapters: String(wire.serial_adapters),
        initial_config_content: '',
      }
    case 'emu4':
      return {
        vmname: wire.vmname,
        adapters: String(wire.adapters),
        headless: wire.headless,
        enable_remote_console: wire.enable_remote_console,
      }
  }
}

const textReader = (values: FormValues) => (name: string) => {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

/** Converts the values of a virtual PC to the fields of a request. */
export const virtualPcBody = (values: FormValues) => ({ startup_script: textReader(values)('startup_script') })

const consoleTypes = ['telnet', 'vnc', 'spice', 'spice+agent', 'none'] as const

const consoleTypeOf = (value: string) => consoleTypes.find((type) => type === value) ?? 'telnet'

/** Converts the values of a QEMU machine to the fields of a request. */
export function machineBody(values: FormValues) {
  const text = textReader(values)
  return {
    emu1_path: text('emu1_path'),
    ram: Number(text('ram')),
    adapters: Number(text('adapters')),
    adapter_type: text('adapter_type'),
    cpus: Number(text('cpus')),
    console_type: consoleTypeOf(text('console_type')),
    hda_disk_image: text('hda_disk_image'),
    kernel_image: text('kernel_image'),
    initrd: text('initrd'),
    kernel_command_line: text('kernel_command_line'),
    options: text('options'),
  }
}

/** Converts the values of a router image to the fields of a request. */
export function routerBody(values: FormValues) {
  const text = textReader(values)
  return {
    path: text('path'),
    ram: Number(text('ram')),
    ethernet_adapters: Number(text('ethernet_adapters')),
    serial_adapters: Number(text('serial_adapters')),
    initial_config_content: text('initial_config_content') || null,
  }
}

/** Converts the values of a VirtualBox VM to the fields of a request. */
export function desktopVmBody(values: FormValues) {
  const text = textReader(values)
  return {
    vmname: text('vmname'),
    adapters: Number(text('adapters')),
    headless: values.headless === true,
    enable_remote_console: values.enable_remote_console === true,
  }
}

/** Writes the device of each port on its own line: an empty line is a port that the cloud does not have. */
function devicesText(ports: readonly { readonly port: number; readonly device: string }[]): string {
  const last = Math.max(-1, ...ports.map(({ port }) => port))
  return Array.from(
    { length: last + 1 },
    (_none, port) => ports.find((other) => other.port === port)?.device ?? '',
  ).join('\n')
}

/** Converts the values of a cloud to the fields of a request. */
export const cloudBody = (values: FormValues) => ({
  ports: textReader(values)('devices')
    .split('\n')
    .map((line, port) => ({ port, device: line.trim() }))
    .filter(({ device }) => device !== ''),
})
