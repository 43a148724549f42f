import * as v from 'valibot'
import { MAX_ARGUMENTS, MAX_DEVICE, MAX_PATH } from '../../bounds.ts'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { MAX_USAGE, machineBounds } from '../../kinds/machine/bounds.ts'
import { isUnicastMac, machineMac } from '../../kinds/machine/mac-address.ts'
import {
  bootPriorities,
  type CloseAction,
  type CustomAdapter,
  diskInterfaces,
  machineConsoleTypes,
  processPriorities,
} from '../../kinds/machine/settings.ts'
import { describeValue } from '../errors/describe-value.ts'
import {
  fields,
  flag,
  integer,
  line,
  list,
  nonEmptyLine,
  oneOf,
  plainName,
  port,
  text,
  whole,
  withoutNullish,
} from '../requests/fields.ts'
import { newVmId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const path = line(MAX_PATH)
const diskInterface = oneOf(diskInterfaces)
const mac = v.pipe(
  text(17),
  v.check(isUnicastMac, (issue) => `${describeValue(issue.input)} is not the MAC address of one adapter`),
)
const closes = ['power_off', 'shutdown_signal'] as const

const customAdapter = fields({
  adapter_number: integer(...machineBounds.customAdapter),
  adapter_type: v.nullish(nonEmptyLine(MAX_DEVICE)),
  mac_address: v.nullish(mac),
  port_name: v.nullish(line(MAX_DEVICE)),
})

const customAdapters = v.pipe(
  list(customAdapter, machineBounds.adapters[1]),
  v.check(
    (items) => new Set(items.map(({ adapter_number }) => adapter_number)).size === items.length,
    'Two custom adapters have the same adapter_number',
  ),
)

const optional = {
  // The field of version 1.4 for `on_close`.
  acpi_shutdown: v.nullish(flag),
  adapter_type: v.nullish(nonEmptyLine(MAX_DEVICE)),
  adapters: v.nullish(integer(...machineBounds.adapters)),
  bios_image: v.nullish(path),
  boot_priority: v.nullish(oneOf(bootPriorities)),
  cdrom_image: v.nullish(path),
  console: v.nullish(port),
  console_type: v.nullish(oneOf(machineConsoleTypes)),
  cpus: v.nullish(integer(...machineBounds.cpus)),
  custom_adapters: v.nullish(customAdapters),
  cpu_throttling: v.nullish(integer(...machineBounds.cpuThrottlingPercent)),
  hda_disk_image: v.nullish(path),
  hda_disk_interface: v.nullish(diskInterface),
  hdb_disk_image: v.nullish(path),
  hdb_disk_interface: v.nullish(diskInterface),
  hdc_disk_image: v.nullish(path),
  hdc_disk_interface: v.nullish(diskInterface),
  hdd_disk_image: v.nullish(path),
  hdd_disk_interface: v.nullish(diskInterface),
  initrd: v.nullish(path),
  kernel_command_line: v.nullish(line(MAX_ARGUMENTS)),
  kernel_image: v.nullish(path),
  legacy_networking: v.nullish(flag),
  mac_address: v.nullish(
    v.union([v.literal(''), mac], (issue) => `${describeValue(issue.input)} is not a MAC address`),
  ),
  maxcpus: v.nullish(integer(...machineBounds.cpus)),
  monitor: v.nullish(port),
  on_close: v.nullish(oneOf(closes)),
  options: v.nullish(line(MAX_ARGUMENTS)),
  // Clients of the original server send the text `null` for no change.
  process_priority: v.nullish(oneOf([...processPriorities, 'null'])),
  ram: v.nullish(integer(...machineBounds.memoryMegabytes)),
  serial_ports: v.nullish(integer(...machineBounds.serialPorts)),
  uefi: v.nullish(flag),
  usage: v.nullish(text(MAX_USAGE)),
}

const create = fields({ name: plainName, emu1_path: nonEmptyLine(MAX_PATH), vm_id: v.nullish(newVmId), ...optional })
const update = fields({ name: v.nullish(plainName), emu1_path: v.nullish(nonEmptyLine(MAX_PATH)), ...optional })

const object = v.pipe(
  v.object({
    acpi_shutdown: v.boolean(),
    adapter_type: v.string(),
    adapters: whole,
    bios_image: v.string(),
    boot_priority: v.picklist(bootPriorities),
    cdrom_image: v.string(),
    console: whole,
    console_type: v.picklist(machineConsoleTypes),
    cpu_throttling: whole,
    cpus: whole,
    custom_adapters: v.array(
      v.object({
        adapter_number: whole,
        adapter_type: v.optional(v.string()),
        mac_address: v.optional(v.string()),
        port_name: v.optional(v.string()),
      }),
    ),
    hda_disk_image: v.string(),
    hda_disk_interface: v.picklist(diskInterfaces),
    hdb_disk_image: v.string(),
    hdb_disk_interface: v.picklist(diskInterfaces),
    hdc_disk_image: v.string(),
    hdc_disk_interface: v.picklist(diskInterfaces),
    hdd_disk_image: v.string(),
    hdd_disk_interface: v.picklist(diskInterfaces),
    initrd: v.string(),
    kernel_command_line: v.string(),
    kernel_image: v.string(),
    legacy_networking: v.boolean(),
    mac_address: v.string(),
    maxcpus: whole,
    monitor: whole,
    name: v.string(),
    on_close: v.picklist(closes),
    options: v.string(),
    process_priority: v.picklist(processPriorities),
    project_id: v.string(),
    emu1_path: v.string(),
    ram: whole,
    serial_ports: whole,
    uefi: v.boolean(),
    usage: v.string(),
    vm_id: v.string(),
  }),
  v.title('Emu1Instance'),
)

/** The schemas of the wire, without translation. */
export const machineFields = { create, update, object }

export const toMachineSettings = (wire: v.InferOutput<typeof update>) =>
  withoutNullish({
    program: wire.emu1_path,
    console: wire.console,
    monitor: wire.monitor,
    memoryMegabytes: wire.ram,
    adapters: wire.adapters,
    adapterType: wire.adapter_type,
    cpuThrottlingPercent: wire.cpu_throttling,
    priority: wire.process_priority === 'null' ? undefined : wire.process_priority,
    primaryDisk: wire.hda_disk_image,
    secondaryDisk: wire.hdb_disk_image,
    initialRamDisk: wire.initrd,
    kernelImage: wire.kernel_image,
    kernelCommandLine: wire.kernel_command_line,
    options: wire.options,
    legacyNetworking: wire.legacy_networking,
    tertiaryDisk: wire.hdc_disk_image,
    quaternaryDisk: wire.hdd_disk_image,
    primaryDiskInterface: wire.hda_disk_interface,
    secondaryDiskInterface: wire.hdb_disk_interface,
    tertiaryDiskInterface: wire.hdc_disk_interface,
    quaternaryDiskInterface: wire.hdd_disk_interface,
    cdromImage: wire.cdrom_image,
    biosImage: wire.bios_image,
    uefi: wire.uefi,
    bootPriority: wire.boot_priority,
    macAddress: wire.mac_address,
    cpus: wire.cpus,
    maxCpus: wire.maxcpus,
    serialPorts: wire.serial_ports,
    consoleType: wire.console_type,
    closeAction: closeActionOf(wire),
    customAdapters: wire.custom_adapters?.map(toCustomAdapter),
    usage: wire.usage,
  })

/** `on_close` decides where both fields are given. */
function closeActionOf({
  on_close,
  acpi_shutdown,
}: Pick<v.InferOutput<typeof update>, 'on_close' | 'acpi_shutdown'>): CloseAction | undefined {
  if (typeof on_close === 'string') return on_close === 'shutdown_signal' ? 'shutdown-signal' : 'power-off'
  if (typeof acpi_shutdown === 'boolean') return acpi_shutdown ? 'shutdown-signal' : 'power-off'
  return undefined
}

const toCustomAdapter = (wire: v.InferOutput<typeof customAdapter>): CustomAdapter => ({
  adapter: wire.adapter_number,
  ...withoutNullish({ adapterType: wire.adapter_type, macAddress: wire.mac_address, portName: wire.port_name }),
})

const fromCustomAdapter = ({ adapter, adapterType, macAddress, portName }: CustomAdapter) => ({
  adapter_number: adapter,
  ...(adapterType !== undefined && { adapter_type: adapterType }),
  ...(macAddress !== undefined && { mac_address: macAddress }),
  ...(portName !== undefined && { port_name: portName }),
})

export const machineWire: KindWire<
  'machine',
  v.InferInput<typeof create>,
  v.InferInput<typeof update> | undefined,
  v.InferInput<typeof object>
> = {
  kind: 'machine',
  create: v.pipe(
    create,
    v.transform(
      ({ vm_id, ...wire }): NewFields<'machine'> => ({
        name: wire.name,
        settings: { ...toMachineSettings(wire), program: wire.emu1_path },
        ...withoutNullish({ id: vm_id }),
      }),
    ),
  ),
  update: v.optional(
    v.pipe(
      update,
      v.transform(
        ({ name, ...wire }): InstanceUpdate<'machine'> => ({
          ...withoutNullish({ name }),
          settings: toMachineSettings(wire),
        }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings }) => ({
    acpi_shutdown: settings.closeAction === 'shutdown-signal',
    adapter_type: settings.adapterType,
    adapters: settings.adapters,
    bios_image: settings.biosImage,
    boot_priority: settings.bootPriority,
    cdrom_image: settings.cdromImage,
    console: settings.console,
    console_type: settings.consoleType,
    cpu_throttling: settings.cpuThrottlingPercent,
    cpus: settings.cpus,
    custom_adapters: settings.customAdapters.map(fromCustomAdapter),
    emu1_path: settings.program,
    hda_disk_image: settings.primaryDisk,
    hda_disk_interface: settings.primaryDiskInterface,
    hdb_disk_image: settings.secondaryDisk,
    hdb_disk_interface: settings.secondaryDiskInterface,
    hdc_disk_image: settings.tertiaryDisk,
    hdc_disk_interface: settings.tertiaryDiskInterface,
    hdd_disk_image: settings.quaternaryDisk,
    hdd_disk_interface: settings.quaternaryDiskInterface,
    initrd: settings.initialRamDisk,
    kernel_command_line: settings.kernelCommandLine,
    kernel_image: settings.kernelImage,
    legacy_networking: settings.legacyNetworking,
    mac_address: machineMac(id, { ...settings, customAdapters: [] }, 0),
    maxcpus: settings.maxCpus,
    monitor: settings.monitor,
    name,
    on_close: settings.closeAction === 'shutdown-signal' ? 'shutdown_signal' : 'power_off',
    options: settings.options,
    process_priority: settings.priority,
    project_id: projectId,
    ram: settings.memoryMegabytes,
    serial_ports: settings.serialPorts,
    uefi: settings.uefi,
    usage: settings.usage,
    vm_id: id,
  }),
}
