import type { Nio } from '@trivium/emulation-core'
import {
  type CarriedDevice,
  type DeviceCarrier,
  type EthernetNio,
  type LinkRelay,
  type Nic,
  nicKey,
  type PortAllocator,
  Refusal,
  type TapNio,
  type UdpNio,
} from '@trivium/emulation-core/ports'
import { allocatePair } from './port-pair.ts'

/** The device of one NIC. */
interface DeviceLink {
  readonly device: TapNio | EthernetNio
  readonly nio: UdpNio
  release(): Promise<void>
}

const isDevice = (nio: Nio): nio is TapNio | EthernetNio =>
  nio.type === 'tap' || nio.type === 'generic-ethernet' || nio.type === 'linux-ethernet'

const isSameDevice = (one: TapNio | EthernetNio, other: Nio): boolean =>
  one.type === other.type && isDevice(other) && one.device === other.device

/**
 * Adds devices of the host to a relay that carries UDP. A carrier has the device, and a pair of loopback ports joins it
 * to the relay, so that captures, impairments and counters are those of every link.
 */
export function withDevices(
  relay: LinkRelay,
  { ports, devices }: { readonly ports: PortAllocator; readonly devices: DeviceCarrier | undefined },
): LinkRelay {
  if (devices === undefined) return relay
  const links = new Map<string, DeviceLink>()

  const attach = async (device: TapNio | EthernetNio): Promise<DeviceLink> => {
    const pair = await allocatePair(ports)
    let carried: CarriedDevice
    try {
      carried = await devices.carry(device, pair)
    } catch (error) {
      pair.release()
      throw error
    }
    return {
      device,
      nio: { type: 'udp', localPort: pair.relayPort, remoteHost: devices.address, remotePort: pair.devicePort },
      release: async () => {
        await carried.release()
        pair.release()
      },
    }
  }

  /** Ends the link of a NIC, except the one that it has now. */
  const replace = async (nic: Nic, next: DeviceLink | undefined) => {
    const key = nicKey(nic)
    const before = links.get(key)
    if (next === undefined) links.delete(key)
    else links.set(key, next)
    if (before !== next) await before?.release()
  }

  return {
    ...relay,
    async connect(nic, nio, options) {
      if (!isDevice(nio)) {
        const destination = await relay.connect(nic, nio, options)
        await replace(nic, undefined)
        return destination
      }
      const current = links.get(nicKey(nic))
      const isKept = current !== undefined && isSameDevice(current.device, nio)
      const link = isKept ? current : await attach(nio)
      try {
        await relay.connect(nic, link.nio, options)
      } catch (error) {
        if (!isKept) await link.release()
        throw error
      }
      await replace(nic, link)
      return { ownPort: undefined }
    },
    async disconnect(nic) {
      await relay.disconnect(nic)
      await replace(nic, undefined)
    },
    async close() {
      await relay.close()
      const all = [...links.values()]
      links.clear()
      await Promise.all(all.map((link) => link.release()))
      await devices.close()
    },
  }
}

/** The refusal of a type of NIO that a relay does not carry. */
export const unsupportedNio = ({ type }: Nio): Refusal =>
  new Refusal('unsupported', `A NIO of type '${type}' is not supported by this server.`)
