import * as v from 'valibot'
import { MAX_ARGUMENTS, MAX_DEVICE, MAX_PATH } from '../../bounds.ts'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { machineBounds } from '../../kinds/machine/bounds.ts'
import { processPriorities } from '../../kinds/machine/settings.ts'
import {
  fields,
  flag,
  integer,
  line,
  nonEmptyLine,
  oneOf,
  plainName,
  port,
  whole,
  withoutNullish,
} from '../requests/fields.ts'
import { newVmId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const path = line(MAX_PATH)

const optional = {
  adapter_type: v.nullish(nonEmptyLine(MAX_DEVICE)),
  adapters: v.nullish(integer(...machineBounds.adapters)),
  console: v.nullish(port),
  cpu_throttling: v.nullish(integer(...machineBounds.cpuThrottlingPercent)),
  hda_disk_image: v.nullish(path),
  hdb_disk_image: v.nullish(path),
  initrd: v.nullish(path),
  kernel_command_line: v.nullish(line(MAX_ARGUMENTS)),
  kernel_image: v.nullish(path),
  legacy_networking: v.nullish(flag),
  monitor: v.nullish(port),
  options: v.nullish(line(MAX_ARGUMENTS)),
  // Clients of the original server send the text `null` for no change.
  process_priority: v.nullish(oneOf([...processPriorities, 'null'])),
  ram: v.nullish(integer(...machineBounds.memoryMegabytes)),
}

const create = fields({ name: plainName, emu1_path: nonEmptyLine(MAX_PATH), vm_id: v.nullish(newVmId), ...optional })
const update = fields({ name: v.nullish(plainName), emu1_path: v.nullish(nonEmptyLine(MAX_PATH)), ...optional })

const object = v.pipe(
  v.object({
    adapter_type: v.string(),
    adapters: whole,
    console: whole,
    cpu_throttling: whole,
    hda_disk_image: v.string(),
    hdb_disk_image: v.string(),
    initrd: v.string(),
    kernel_command_line: v.string(),
    kernel_image: v.string(),
    legacy_networking: v.boolean(),
    monitor: whole,
    name: v.string(),
    options: v.string(),
    process_priority: v.picklist(processPriorities),
    project_id: v.string(),
    emu1_path: v.string(),
    ram: whole,
    vm_id: v.string(),
  }),
  v.title('Emu1Instance'),
)

/** The schemas of the wire, without translation. */
export const machineFields = { create, update, object }

const toSettings = (wire: v.InferOutput<typeof update>) =>
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
        settings: { ...toSettings(wire), program: wire.emu1_path },
        ...withoutNullish({ id: vm_id }),
      }),
    ),
  ),
  update: v.optional(
    v.pipe(
      update,
      v.transform(
        ({ name, ...wire }): InstanceUpdate<'machine'> => ({ ...withoutNullish({ name }), settings: toSettings(wire) }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings }) => ({
    adapter_type: settings.adapterType,
    adapters: settings.adapters,
    console: settings.console,
    cpu_throttling: settings.cpuThrottlingPercent,
    emu1_path: settings.program,
    hda_disk_image: settings.primaryDisk,
    hdb_disk_image: settings.secondaryDisk,
    initrd: settings.initialRamDisk,
    kernel_command_line: settings.kernelCommandLine,
    kernel_image: settings.kernelImage,
    legacy_networking: settings.legacyNetworking,
    monitor: settings.monitor,
    name,
    options: settings.options,
    process_priority: settings.priority,
    project_id: projectId,
    ram: settings.memoryMegabytes,
    vm_id: id,
  }),
}
