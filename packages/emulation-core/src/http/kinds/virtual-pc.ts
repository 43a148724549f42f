import * as v from 'valibot'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { fields, plainName, port, text, whole, withoutNullish } from '../requests/fields.ts'
import { newVmId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const optional = { console: v.nullish(port), startup_script: v.nullish(text(2 ** 20)) }

const create = fields({ name: plainName, vm_id: v.nullish(newVmId), ...optional })
const update = fields({ name: v.nullish(plainName), ...optional })

const object = v.pipe(
  v.object({
    console: whole,
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
        settings: withoutNullish({ console: wire.console }),
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
          settings: withoutNullish({ console: wire.console }),
        }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings, text: script, textFile }) => ({
    console: settings.console,
    name,
    project_id: projectId,
    startup_script: script,
    startup_script_path: textFile,
    vm_id: id,
  }),
}
