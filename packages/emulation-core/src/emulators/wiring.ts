import type { DevicePort, PlugUdpOptions, UdpPlug } from '../links/link-relay.ts'
import type { NicAddress } from '../links/nic-address.ts'
import type { NicState } from './running-instance.ts'

/** The NICs of one instance in the link relay. Everything is unplugged after the instance has ended. */
export interface Wiring {
  /** Every NIC of the instance's settings; for a switch, the connected ports. */
  readonly nics: readonly NicAddress[]
  /** Reads the current state of a NIC's connection. */
  state(nic: NicAddress): NicState
  /** Attaches a device of this process. */
  plug(nic: NicAddress, receive: (frame: Uint8Array) => void): DevicePort
  /** Attaches another process, over a fixed pair of loopback UDP ports. */
  plugUdp(nic: NicAddress, options?: PlugUdpOptions): Promise<UdpPlug>
}
