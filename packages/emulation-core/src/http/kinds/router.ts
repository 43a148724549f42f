import * as v from 'valibot'
import { MAX_PATH } from '../../bounds.ts'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { routerBounds } from '../../kinds/router/bounds.ts'
import {
  fields,
  flag,
  integer,
  nonEmptyLine,
  plainName,
  port,
  text,
  whole,
  withoutNullish,
} from '../requests/fields.ts'
import { newVmId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const optional = {
  console: v.nullish(port),
  ethernet_adapters: v.nullish(integer(...routerBounds.ethernetAdapters)),
  initial_config_content: v.nullish(text(2 ** 20)),
  l1_keepalives: v.nullish(flag),
  nvram: v.nullish(integer(...routerBounds.nvramKilobytes)),
  ram: v.nullish(integer(...routerBounds.memoryMegabytes)),
  serial_adapters: v.nullish(integer(...routerBounds.serialAdapters)),
}

const create = fields({ name: plainName, path: nonEmptyLine(MAX_PATH), vm_id: v.nullish(newVmId), ...optional })
const update = fields({ name: v.nullish(plainName), path: v.nullish(nonEmptyLine(MAX_PATH)), ...optional })

const object = v.pipe(
  v.object({
    console: whole,
    ethernet_adapters: whole,
    initial_config: v.nullable(v.string()),
    l1_keepalives: v.boolean(),
    name: v.string(),
    nvram: whole,
    path: v.string(),
    project_id: v.string(),
    ram: whole,
    serial_adapters: whole,
    vm_id: v.string(),
  }),
  v.title('Emu2Instance'),
)

const toSettings = (wire: v.InferOutput<typeof update>) =>
  withoutNullish({
    image: wire.path,
    console: wire.console,
    ethernetAdapters: wire.ethernet_adapters,
    serialAdapters: wire.serial_adapters,
    memoryMegabytes: wire.ram,
    nvramKilobytes: wire.nvram,
    keepalives: wire.l1_keepalives,
  })

export const routerWire: KindWire<
  'router',
  v.InferInput<typeof create>,
  v.InferInput<typeof update> | undefined,
  v.InferInput<typeof object>
> = {
  kind: 'router',
  create: v.pipe(
    create,
    v.transform(
      ({ vm_id, ...wire }): NewFields<'router'> => ({
        name: wire.name,
        settings: { ...toSettings(wire), image: wire.path },
        ...withoutNullish({ id: vm_id, text: wire.initial_config_content }),
      }),
    ),
  ),
  update: v.optional(
    v.pipe(
      update,
      v.transform(
        ({ name, ...wire }): InstanceUpdate<'router'> => ({
          ...withoutNullish({ name, text: wire.initial_config_content }),
          settings: toSettings(wire),
        }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings, textFile }) => ({
    console: settings.console,
    ethernet_adapters: settings.ethernetAdapters,
    initial_config: textFile,
    l1_keepalives: settings.keepalives,
    name,
    nvram: settings.nvramKilobytes,
    path: settings.image,
    project_id: projectId,
    ram: settings.memoryMegabytes,
    serial_adapters: settings.serialAdapters,
    vm_id: id,
  }),
}
