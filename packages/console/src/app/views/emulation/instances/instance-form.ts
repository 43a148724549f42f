import type { Availability } from '../kinds/availability.ts'
import type { Instance } from '../kinds/instance.ts'
import type { Choice } from '../kinds/kinds.ts'
import { containerDefaults, containerFields, containerValues } from './container-form.ts'
import { type FormField, type FormValues, labelledChoices, plainChoices, textReader } from './form-field.ts'
import { machineDefaults, machineFields, machineValues } from './machine-form.ts'

/** What runs a virtual PC. */
export const virtualPcEngines = { embedded: "The server's own process", vpcs: 'VPCS' } as const

/** Returns the fields of a choice, without the name. */
export function formFields(choice: Choice, available: Availability): readonly FormField[] {
  switch (choice) {
    case 'emu3':
      return [
        {
          name: 'startup_script',
          label: 'Startup script',
          type: 'lines',
          hint: 'Commands that run at each start, for example: ip 10.0.0.1/24',
        },
        {
          name: 'engine',
          label: 'Engine',
          type: 'text',
          choices: labelledChoices({ default: 'The default of the server', ...virtualPcEngines }),
          isFixed: true,
          group: 'Further settings',
        },
        {
          name: 'mac_address',
          label: 'MAC address',
          type: 'text',
          group: 'Further settings',
          hint: 'For example: 02:00:00:00:00:01. Empty does not set one',
        },
      ]
    case 'emu5':
      return [
        {
          name: 'mac_ageing_seconds',
          label: 'MAC ageing in seconds',
          type: 'number',
          required: true,
          min: 0,
          max: 1_000_000,
          hint: 'The time after which an address that sends nothing is forgotten: at least 10, or 0 for never',
        },
      ]
    case 'hub':
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
    case 'container':
      return containerFields
    case 'emu1':
      return machineFields(available)
    case 'emu2':
      return [
        {
          name: 'path',
          label: 'Image',
          type: 'text',
          required: true,
          suggestions: available.diskImages,
          hint: "A file in the server's images directory",
        },
        { name: 'ram', label: 'Memory in MiB', type: 'number', min: 1, max: 1_048_576 },
        { name: 'ethernet_adapters', label: 'Ethernet adapters of 4 ports', type: 'number', min: 0, max: 16 },
        { name: 'serial_adapters', label: 'Serial adapters of 4 ports', type: 'number', min: 0, max: 16 },
        { name: 'initial_config_content', label: 'Initial configuration', type: 'lines' },
      ]
    case 'emu4':
      return [
        {
          name: 'vmname',
          label: 'Machine',
          type: 'text',
          required: true,
          choices: plainChoices(available.desktopVmNames),
        },
        { name: 'linked_clone', label: 'As a linked clone', type: 'check', isFixed: true },
        { name: 'adapters', label: 'Network adapters', type: 'number', min: 0, max: 36 },
        { name: 'headless', label: 'Without a window on the server', type: 'check' },
        { name: 'enable_remote_console', label: 'With a console', type: 'check' },
      ]
  }
}

/** Returns the values of a new instance. */
export function defaultValues(choice: Choice, available: Availability): FormValues {
  switch (choice) {
    case 'emu3':
      return { startup_script: '', engine: 'default', mac_address: '' }
    case 'emu5':
      return { mac_ageing_seconds: '300' }
    case 'hub':
    case 'nat':
      return {}
    case 'cloud':
      return { devices: '' }
    case 'container':
      return containerDefaults
    case 'emu1':
      return machineDefaults(available)
    case 'emu2':
      return { path: '', ram: '256', ethernet_adapters: '2', serial_adapters: '2', initial_config_content: '' }
    case 'emu4':
      return {
        vmname: available.desktopVmNames[0] ?? '',
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
      return { startup_script: wire.startup_script ?? '', mac_address: wire.mac_address ?? '' }
    case 'emu5':
      return { mac_ageing_seconds: String(wire.mac_ageing_seconds ?? '') }
    case 'nat':
      return {}
    case 'cloud':
      return { devices: devicesText(wire.ports) }
    case 'container':
      return containerValues(wire)
    case 'emu1':
      return machineValues(wire)
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

/** Converts the values of a virtual PC to the fields of a request. The API cannot remove an address that was set. */
export function virtualPcBody(values: FormValues) {
  const text = textReader(values)
  return { startup_script: text('startup_script'), mac_address: text('mac_address').trim() || null }
}

const engineNames = ['embedded', 'vpcs'] as const

/** Returns the engine of a new virtual PC; `null` for the default of the server. */
export const virtualPcEngine = ({ engine }: FormValues) => engineNames.find((name) => name === engine) ?? null

/** Converts the values of a switch to the fields of a request. A hub has none. */
export function switchBody(values: FormValues) {
  const ageing = textReader(values)('mac_ageing_seconds')
  return ageing === '' ? {} : { mac_ageing_seconds: Number(ageing) }
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
