import type { NicState } from '../emulators/running-instance.ts'
import type { Wiring } from '../emulators/wiring.ts'
import type { Connection, InstanceId } from '../instances/instance.ts'
import type { LinkRelay } from './link-relay.ts'
import { type NicAddress, sameNic } from './nic-address.ts'

/** The NICs of one instance in the relay, with the devices that are plugged into them. */
export interface InstanceWiring extends Wiring {
  /** Sets the connections from which {@link Wiring.state} is read. */
  setConnections(connections: readonly Connection[]): void
  unplugAll(): Promise<void>
}

export interface InstanceWiringOptions {
  readonly relay: LinkRelay
  readonly instanceId: InstanceId
  readonly nics: readonly NicAddress[]
  readonly connections: readonly Connection[]
}

export function createInstanceWiring({ relay, instanceId, nics, connections }: InstanceWiringOptions): InstanceWiring {
  let current = connections
  const plugs = new Set<{ unplug(): unknown }>()

  const kept = <Plug extends { unplug(): unknown }>(plug: Plug): Plug => {
    plugs.add(plug)
    return plug
  }

  return {
    nics,
    state: (nic) => nicState(current.find((connection) => sameNic(connection, nic))),
    plug: ({ adapter, port }, receive) => {
      const device = relay.plug({ instanceId, adapter, port }, receive)
      const plug = kept({ send: device.send, unplug: () => unplug() })
      const unplug = () => {
        plugs.delete(plug)
        device.unplug()
      }
      return plug
    },
    plugUdp: async ({ adapter, port }, options) => {
      const udp = await relay.plugUdp({ instanceId, adapter, port }, options)
      const plug = kept({ ...udp, unplug: () => unplug() })
      const unplug = async () => {
        plugs.delete(plug)
        await udp.unplug()
      }
      return plug
    },
    setConnections: (next) => {
      current = next
    },
    unplugAll: async () => {
      await Promise.all([...plugs].map((plug) => plug.unplug()))
    },
  }
}

export const nicState = (connection: Connection | undefined): NicState => ({
  connected: connection !== undefined,
  linkUp: connection?.linkUp ?? false,
})
