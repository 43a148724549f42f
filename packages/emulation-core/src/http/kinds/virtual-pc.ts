import * as v from 'valibot'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { isStationAddress } from '../../kinds/virtual-pc/bounds.ts'
import { virtualPcEngineNames } from '../../kinds/virtual-pc/settings.ts'
import { describeValue } from '../errors/describe-value.ts'
import { fields, oneOf, plainName, port, text, whole, withoutNullish } from '../requests/fields.ts'
import { newVmId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const macAddress = v.pipe(
  text(17),
  v.check(
    isStationAddress,
    ({ input }) => `${describeValue(input)} is not a MAC address of one station, such as 02:00:00:00:00:01`,
  ),
  v.transform((address) => address.toLowerCase()),
)

const optional = {
  console: v.nullish(port),
  mac_address: v.nullish(macAddress),
  startup_script: v.nullish(text(2 ** 20)),
}

const create = fields({
  name: plainName,
  vm_id: v.nullish(newVmId),
  engine: v.nullish(oneOf(virtualPcEngineNames)),
  ...optional,
})
const update = fields({ name: v.nullish(plainName), ...optional })

const object = v.pipe(
  v.object({
    console: whole,
    engine: v.optional(v.picklist(virtualPcEngineNames)),
    mac_address: v.optional(v.string()),
    name: v.string(),
    project_id: v.string(),
    startup_script: v.nullable(v.string()),
    startup_script_path: v.nullable(v.string()),
    vm_id: v.string(),
  }),
  v.title('Emu3Instance'),
)

export const virtualPcWire: KindWire<
  'virtual-pc',
  v.InferInput<typeof create>,
  v.InferInput<typeof update> | undefined,
  v.InferInput<typeof object>
> = {
  kind: 'virtual-pc',
  create: v.pipe(
    create,
    v.transform(
      ({ vm_id, ...wire }): NewFields<'virtual-pc'> => ({
        name: wire.name,
        settings: withoutNullish({ console: wire.console, engine: wire.engine, macAddress: wire.mac_address }),
        ...withoutNullish({ id: vm_id, text: wire.startup_script }),
      }),
    ),
  ),
  update: v.optional(
    v.pipe(
      update,
      v.transform(
        (wire): InstanceUpdate<'virtual-pc'> => ({
          ...withoutNullish({ name: wire.name, text: wire.startup_script }),
          settings: withoutNullish({ console: wire.console, macAddress: wire.mac_address }),
        }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings, text: script, textFile }) => ({
    console: settings.console,
    ...(settings.engine && { engine: settings.engine }),
    ...(settings.macAddress && { mac_address: settings.macAddress }),
    name,
    project_id: projectId,
    startup_script: script,
    startup_script_path: textFile,
    vm_id: id,
  }),
}
