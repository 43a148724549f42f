import type { InstanceId } from '@trivium/emulation-core'
import type { LinkRelay, Nic, NicAddress, NicState, Wiring } from '@trivium/emulation-core/ports'

export interface TestWiring extends Wiring {
  readonly nic: (address: NicAddress) => Nic
}

/** The wiring of the instance with the name. */
export const testWiring = (
  relay: LinkRelay,
  name: string,
  nics: readonly NicAddress[],
  state: NicState = { connected: true, linkUp: true },
): TestWiring => {
  // Any string is valid as an id here: it is not parsed.
  const instanceId = name as InstanceId
  const nic = ({ adapter, port }: NicAddress): Nic => ({ instanceId, adapter, port })
  return {
    nics,
    nic,
    state: () => state,
    plug: (address, receive) => relay.plug(nic(address), receive),
    plugUdp: (address, options) => relay.plugUdp(nic(address), options),
  }
}
