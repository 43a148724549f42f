import { type IpAddress, isIpv6 } from '../../addresses/ip-address.ts'
import { protocols } from '../../frames/ipv4.ts'
import { writeUdp } from '../../frames/udp.ts'
import type { Ipv4Host } from './ipv4-host.ts'
import type { Ipv6Host } from './ipv6-host.ts'

export interface OutgoingUdp {
  readonly destination: IpAddress
  readonly sourcePort: number
  readonly destinationPort: number
  readonly payload: Uint8Array
  /** @default 64 */
  readonly timeToLive?: number
}

interface Hosts {
  readonly ipv4: Ipv4Host
  readonly ipv6: Ipv6Host
}

/** Sends a datagram, or drops it where it has no route. */
export function sendUdp({ ipv4, ipv6 }: Hosts, { destination, timeToLive = 64, ...udp }: OutgoingUdp): void {
  if (isIpv6(destination)) {
    ipv6.route(destination, (route) => {
      if (route.type !== 'ready') return
      const { source } = route
      const payload = writeUdp(udp, { family: 'ipv6', source, destination })
      ipv6.send({ destination, source, nextHeader: protocols.udp, hopLimit: timeToLive, payload })
    })
    return
  }
  ipv4.route(destination, (route) => {
    if (route.type !== 'ready') return
    const payload = writeUdp(udp, { family: 'ipv4', source: route.source, destination })
    ipv4.send({ destination, protocol: protocols.udp, timeToLive, payload })
  })
}
