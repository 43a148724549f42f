import * as v from 'valibot'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { fields, plainName, withoutNullish } from '../requests/fields.ts'
import { nodeId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const create = fields({ name: plainName, node_id: v.nullish(nodeId) })
const update = fields({ name: v.nullish(plainName) })

const object = v.pipe(v.object({ name: v.string(), node_id: v.string(), project_id: v.string() }), v.title('NatNode'))

export const natWire: KindWire<
  'nat',
  v.InferInput<typeof create>,
  v.InferInput<typeof update> | undefined,
  v.InferInput<typeof object>
> = {
  kind: 'nat',
  create: v.pipe(
    create,
    v.transform(({ name, node_id }): NewFields<'nat'> => ({ name, settings: {}, ...withoutNullish({ id: node_id }) })),
  ),
  update: v.optional(
    v.pipe(
      update,
      v.transform(({ name }): InstanceUpdate<'nat'> => withoutNullish({ name })),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name }) => ({ name, node_id: id, project_id: projectId }),
}
