import * as v from 'valibot'
import { MAX_DEVICE } from '../../bounds.ts'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { desktopVmBounds } from '../../kinds/desktop-vm/bounds.ts'
import { fields, flag, integer, nonEmptyLine, plainName, port, whole, withoutNullish } from '../requests/fields.ts'
import { newVmId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const optional = {
  adapter_type: v.nullish(nonEmptyLine(MAX_DEVICE)),
  adapters: v.nullish(integer(...desktopVmBounds.adapters)),
  console: v.nullish(port),
  enable_remote_console: v.nullish(flag),
  headless: v.nullish(flag),
  use_any_adapter: v.nullish(flag),
}

const create = fields({
  name: plainName,
  vmname: plainName,
  linked_clone: flag,
  vm_id: v.nullish(newVmId),
  ...optional,
})
const update = fields({ name: v.nullish(plainName), vmname: v.nullish(plainName), ...optional })

const object = v.pipe(
  v.object({
    adapter_type: v.string(),
    adapters: whole,
    console: whole,
    enable_remote_console: v.boolean(),
    headless: v.boolean(),
    name: v.string(),
    project_id: v.string(),
    use_any_adapter: v.boolean(),
    vm_id: v.string(),
    vmname: v.string(),
  }),
  v.title('Emu4Instance'),
)

const toSettings = (wire: v.InferOutput<typeof update>) =>
  withoutNullish({
    machineName: wire.vmname,
    console: wire.console,
    remoteConsole: wire.enable_remote_console,
    headless: wire.headless,
    adapters: wire.adapters,
    adapterType: wire.adapter_type,
    useAnyAdapter: wire.use_any_adapter,
  })

export const desktopVmWire: KindWire<
  'desktop-vm',
  v.InferInput<typeof create>,
  v.InferInput<typeof update> | undefined,
  v.InferInput<typeof object>
> = {
  kind: 'desktop-vm',
  create: v.pipe(
    create,
    v.transform(
      ({ vm_id, linked_clone, ...wire }): NewFields<'desktop-vm'> => ({
        name: wire.name,
        settings: { ...toSettings(wire), machineName: wire.vmname, linkedClone: linked_clone },
        ...withoutNullish({ id: vm_id }),
      }),
    ),
  ),
  update: v.optional(
    v.pipe(
      update,
      v.transform(
        ({ name, ...wire }): InstanceUpdate<'desktop-vm'> => ({
          ...withoutNullish({ name }),
          settings: toSettings(wire),
        }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings }) => ({
    adapter_type: settings.adapterType,
    adapters: settings.adapters,
    console: settings.console,
    enable_remote_console: settings.remoteConsole,
    headless: settings.headless,
    name,
    project_id: projectId,
    use_any_adapter: settings.useAnyAdapter,
    vm_id: id,
    vmname: settings.machineName,
  }),
}
