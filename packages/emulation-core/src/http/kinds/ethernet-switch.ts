import * as v from 'valibot'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { MAX_PORTS, switchBounds } from '../../kinds/ethernet-switch/bounds.ts'
import { portsInUse } from '../../kinds/ethernet-switch/ports-in-use.ts'
import { type SwitchPort, switchPortTypes } from '../../kinds/ethernet-switch/settings.ts'
import { fields, integer, list, oneOf, plainName, port, whole, withoutNullish } from '../requests/fields.ts'
import { newDeviceId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

/** The VLAN settings of a port. */
export const portSettings = fields({ type: oneOf(switchPortTypes), vlan: integer(...switchBounds.vlan) })

const switchPort = fields({ port, ...portSettings.entries })

const repeatedPort = (ports: readonly SwitchPort[]): number | undefined =>
  ports.find(({ port: number }, index) => ports.findIndex((other) => other.port === number) < index)?.port

const ports = v.pipe(
  list(switchPort, MAX_PORTS),
  v.check(
    (items) => new Set(items.map((item) => item.port)).size === items.length,
    (issue) => `Port ${repeatedPort(issue.input)} occurs more than once`,
  ),
)

const create = fields({
  name: plainName,
  device_id: v.nullish(newDeviceId),
  device_type: v.nullish(oneOf(['ethernet_switch'])),
  ports: v.nullish(ports),
})
const update = fields({ name: v.nullish(plainName), ports: v.nullish(ports) })

const object = v.pipe(
  v.object({
    device_id: v.string(),
    name: v.string(),
    ports: v.array(v.object({ port: whole, type: v.picklist(switchPortTypes), vlan: whole })),
    project_id: v.string(),
  }),
  v.title('Emu5Device'),
)

export const ethernetSwitchWire: KindWire<
  'ethernet-switch',
  v.InferInput<typeof create>,
  v.InferInput<typeof update> | undefined,
  v.InferInput<typeof object>
> = {
  kind: 'ethernet-switch',
  create: v.pipe(
    create,
    v.transform(
      (wire): NewFields<'ethernet-switch'> => ({
        name: wire.name,
        settings: withoutNullish({ ports: wire.ports }),
        ...withoutNullish({ id: wire.device_id }),
      }),
    ),
  ),
  update: v.optional(
    v.pipe(
      update,
      v.transform(
        (wire): InstanceUpdate<'ethernet-switch'> => ({
          ...withoutNullish({ name: wire.name }),
          settings: withoutNullish({ ports: wire.ports }),
        }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings, connections }) => ({
    device_id: id,
    name,
    ports: portsInUse({ settings, connections }).map(({ port: number, type, vlan }) => ({ port: number, type, vlan })),
    project_id: projectId,
  }),
}
