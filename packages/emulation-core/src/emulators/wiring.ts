import type { DevicePort, PlugUdpOptions, UdpPlug } from '../links/link-relay.ts'
import type { NicAddress } from '../links/nic-address.ts'
import type { NicState } from './running-instance.ts'

/** The link relay as one instance sees it. Everything is unplugged after the instance has ended. */
export interface Wiring {
  /** Every NIC that the instance's settings give it; for a switch, the ports that are connected. */
  readonly nics: readonly NicAddress[]
  state(nic: NicAddress): NicState
  /** For devices of this process. */
  plug(nic: NicAddress, receive: (frame: Uint8Array) => void): DevicePort
  /** For processes: a fixed pair of loopback UDP ports. */
  plugUdp(nic: NicAddress, options?: PlugUdpOptions): Promise<UdpPlug>
}
