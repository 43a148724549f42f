import * as v from 'valibot'
import type { InstanceUpdate } from '../../instances/update-instance.ts'
import { MAX_PORTS, switchBounds } from '../../kinds/ethernet-switch/bounds.ts'
import { portsInUse } from '../../kinds/ethernet-switch/ports-in-use.ts'
import {
  DEFAULT_MAC_AGEING_SECONDS,
  type DeviceType,
  type StormControl,
  type SwitchPort,
  switchPortTypes,
} from '../../kinds/ethernet-switch/settings.ts'
import { describeValue } from '../errors/describe-value.ts'
import { fields, integer, list, oneOf, plainName, port, whole, withoutNullish } from '../requests/fields.ts'
import { newDeviceId } from '../requests/identifiers.ts'
import type { KindWire, NewFields } from './kind-wire.ts'

const framesPerSecond = v.nullish(integer(...switchBounds.stormFramesPerSecond))

const stormControl = fields({
  broadcast_per_second: framesPerSecond,
  multicast_per_second: framesPerSecond,
  unknown_unicast_per_second: framesPerSecond,
})

const portFields = fields({
  type: oneOf(switchPortTypes),
  vlan: integer(...switchBounds.vlan),
  storm_control: v.nullish(stormControl),
})

type WirePortSettings = v.InferOutput<typeof portFields>

/** Limits that are all absent end the storm control of a port. */
const toStormControl = (wire: v.InferOutput<typeof stormControl> | null): StormControl =>
  withoutNullish({
    broadcast: wire?.broadcast_per_second,
    multicast: wire?.multicast_per_second,
    unknownUnicast: wire?.unknown_unicast_per_second,
  })

const toPortSettings = ({ type, vlan, storm_control }: WirePortSettings): Omit<SwitchPort, 'port'> => ({
  type,
  vlan,
  ...(storm_control !== undefined && { stormControl: toStormControl(storm_control) }),
})

/** The settings of a port, without its number. */
export const portSettings = v.pipe(portFields, v.transform(toPortSettings))

const switchPort = v.pipe(
  fields({ port, ...portFields.entries }),
  v.transform(({ port: number, ...settings }): SwitchPort => ({ port: number, ...toPortSettings(settings) })),
)

const hasLimits = (limits: StormControl): boolean => Object.keys(limits).length > 0

const toWirePort = ({ port: number, type, vlan, stormControl: limits = {} }: SwitchPort) => ({
  port: number,
  type,
  vlan,
  ...(hasLimits(limits) && {
    storm_control: withoutNullish({
      broadcast_per_second: limits.broadcast,
      multicast_per_second: limits.multicast,
      unknown_unicast_per_second: limits.unknownUnicast,
    }),
  }),
})

const repeatedPort = (ports: readonly SwitchPort[]): number | undefined =>
  ports.find(({ port: number }, index) => ports.findIndex((other) => other.port === number) < index)?.port

const ports = v.pipe(
  list(switchPort, MAX_PORTS),
  v.check(
    (items) => new Set(items.map((item) => item.port)).size === items.length,
    (issue) => `Port ${repeatedPort(issue.input)} occurs more than once`,
  ),
)

/** The name of each type of device on the wire. */
const wireTypes = { switch: 'ethernet_switch', hub: 'ethernet_hub' } as const satisfies Record<DeviceType, string>

const [minAgeing, maxAgeing] = switchBounds.macAgeingSeconds

const macAgeing = v.pipe(
  integer(0, maxAgeing),
  v.check(
    (seconds) => seconds === 0 || seconds >= minAgeing,
    (issue) => `${issue.input} is neither 0 nor at least ${minAgeing}`,
  ),
)

const withoutPrograms: readonly unknown[] = ['frame_relay_switch', 'atm_switch', 'atm_bridge']

const deviceType = v.pipe(
  v.picklist(['ethernet_switch', 'ethernet_hub'], ({ input }) =>
    withoutPrograms.includes(input)
      ? `Devices of type ${describeValue(input)} are not offered. Use 'ethernet_switch' or 'ethernet_hub'`
      : `${describeValue(input)} is not one of ['ethernet_switch', 'ethernet_hub']`,
  ),
  v.transform((type): DeviceType => (type === wireTypes.hub ? 'hub' : 'switch')),
)

const create = fields({
  name: plainName,
  device_id: v.nullish(newDeviceId),
  device_type: v.nullish(deviceType),
  ports: v.nullish(ports),
  mac_ageing_seconds: v.nullish(macAgeing),
})
const update = fields({ name: v.nullish(plainName), ports: v.nullish(ports), mac_ageing_seconds: v.nullish(macAgeing) })

const wireLimits = {
  broadcast_per_second: v.optional(whole),
  multicast_per_second: v.optional(whole),
  unknown_unicast_per_second: v.optional(whole),
}

const object = v.pipe(
  v.object({
    device_id: v.string(),
    device_type: v.picklist(['ethernet_switch', 'ethernet_hub']),
    mac_ageing_seconds: v.optional(whole),
    name: v.string(),
    ports: v.optional(
      v.array(
        v.object({
          port: whole,
          type: v.picklist(switchPortTypes),
          vlan: whole,
          storm_control: v.optional(v.object(wireLimits)),
        }),
      ),
    ),
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
        settings: withoutNullish({
          deviceType: wire.device_type,
          ports: wire.ports,
          macAgeingSeconds: wire.mac_ageing_seconds,
        }),
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
          settings: withoutNullish({ ports: wire.ports, macAgeingSeconds: wire.mac_ageing_seconds }),
        }),
      ),
    ),
    {},
  ),
  object,
  toWire: ({ id, projectId, name, settings, connections }) => ({
    device_id: id,
    device_type: wireTypes[settings.deviceType ?? 'switch'],
    name,
    ...(settings.deviceType === 'hub'
      ? {}
      : {
          mac_ageing_seconds: settings.macAgeingSeconds ?? DEFAULT_MAC_AGEING_SECONDS,
          ports: portsInUse({ settings, connections }).map(toWirePort),
        }),
    project_id: projectId,
  }),
}
