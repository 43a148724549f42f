import * as v from 'valibot'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { cloudBounds, isDeviceName, MAX_CLOUD_PORTS } from '../../kinds/cloud/bounds.ts'
import type { CloudPort } from '../../kinds/cloud/settings.ts'
import { fields, integer, list, nonEmptyLine, plainName, whole, withoutNullish } from '../requests/fields.ts'
import { nodeId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const device = v.pipe(
  nonEmptyLine(15),
  v.check(isDeviceName, (issue) => `'${issue.input}' is not the name of a network device`),
)

const repeated = (ports: readonly CloudPort[], field: keyof CloudPort) =>
  ports.find((item, index) => ports.findIndex((other) => other[field] === item[field]) < index)?.[field]

const ports = v.pipe(
  list(fields({ port: integer(...cloudBounds.port), device }), MAX_CLOUD_PORTS),
  v.check(
    (items) => repeated(items, 'port') === undefined,
    (issue) => `Port ${repeated(issue.input, 'port')} occurs more than once`,
  ),
  v.check(
    (items) => repeated(items, 'device') === undefined,
    (issue) => `Device '${repeated(issue.input, 'device')}' occurs more than once`,
  ),
)

const create = fields({ name: plainName, node_id: v.nullish(nodeId), ports: v.nullish(ports) })
const update = fields({ name: v.nullish(plainName), ports: v.nullish(ports) })

const object = v.pipe(
  v.object({
    name: v.string(),
    node_id: v.string(),
    ports: v.array(v.object({ device: v.string(), port: whole })),
    project_id: v.string(),
  }),
  v.title('CloudNode'),
)

export const cloudWire: KindWire<
  'cloud',
  v.InferInput<typeof create>,
  v.InferInput<typeof update> | undefined,
  v.InferInput<typeof object>
> = {
  kind: 'cloud',
  create: v.pipe(
    create,
    v.transform(
      (wire): NewFields<'cloud'> => ({
        name: wire.name,
        settings: withoutNullish({ ports: wire.ports }),
        ...withoutNullish({ id: wire.node_id }),
      }),
    ),
  ),
  update: v.optional(
    v.pipe(
      update,
      v.transform(
        (wire): InstanceUpdate<'cloud'> => ({
          ...withoutNullish({ name: wire.name }),
          settings: withoutNullish({ ports: wire.ports }),
        }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings }) => ({
    name,
    node_id: id,
    ports: settings.ports.map(({ port, device: name }) => ({ device: name, port })),
    project_id: projectId,
  }),
}
