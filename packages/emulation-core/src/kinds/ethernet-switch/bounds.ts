import * as v from 'valibot'
import { type Bounds, portSchema, wholeWithin } from '../../bounds.ts'
import { deviceTypes, switchPortTypes } from './settings.ts'

/** The bounds of the numbers of a switch. VLAN numbers and the ageing are those of 802.1Q. */
export const switchBounds = {
  vlan: [1, 4094],
  macAgeingSeconds: [10, 1_000_000],
  stormFramesPerSecond: [1, 10_000_000],
} as const satisfies Readonly<Record<string, Bounds>>

/** The most ports that can be set. */
export const MAX_PORTS = 1024

const framesPerSecond = v.optional(wholeWithin(...switchBounds.stormFramesPerSecond))

const stormControl = v.object({
  broadcast: framesPerSecond,
  multicast: framesPerSecond,
  unknownUnicast: framesPerSecond,
})

const portFields = {
  type: v.picklist(switchPortTypes),
  vlan: wholeWithin(...switchBounds.vlan),
  stormControl: v.optional(stormControl),
}

/** The settings of a port without its number. */
export const switchPortSettings = v.object(portFields)

/** What a host can set of a switch. */
export const ethernetSwitchSettings = v.object({
  deviceType: v.optional(v.picklist(deviceTypes)),
  macAgeingSeconds: v.optional(v.union([v.literal(0), wholeWithin(...switchBounds.macAgeingSeconds)])),
  ports: v.optional(
    v.pipe(
      v.array(v.object({ port: portSchema, ...portFields })),
      v.maxLength(MAX_PORTS, `must have at most ${MAX_PORTS} items`),
      v.check((ports) => new Set(ports.map(({ port }) => port)).size === ports.length, 'must have each port once'),
    ),
  ),
})
