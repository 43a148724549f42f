import { type IpAddress, isIpv6 } from '../../addresses/ip-address.ts'
import { icmpTypes, writeIcmp } from '../../frames/icmp.ts'
import { icmpv6Types, writeIcmpv6 } from '../../frames/icmpv6.ts'
import { IPV4_HEADER_LENGTH, protocols } from '../../frames/ipv4.ts'
import { IPV6_HEADER_LENGTH } from '../../frames/ipv6.ts'
import { findRoute } from './find-route.ts'
import { randomUint16 } from './link.ts'
import type { Network } from './network.ts'
import { echoKey, type ProbeResult, udpKey } from './probes.ts'
import { sendUdp } from './send-udp.ts'

export interface Probe {
  readonly destination: IpAddress
  /** An echo request, or a datagram to a port that echoes or refuses. */
  readonly protocol: 'icmp' | 'udp'
  readonly sequence: number
  readonly timeToLive: number
  /** The length of the data after the ICMP or UDP header. */
  readonly dataBytes: number
  readonly timeoutMs: number
  readonly dontFragment?: boolean
  readonly destinationPort?: number
  /** @default a free port */
  readonly sourcePort?: number
}

const MESSAGE_HEADER_LENGTH = 8

/** The data of a probe: the same on all hosts, so that a capture is easy to read. */
const pattern = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => 0x08 + (index % 0xf0))

const isOwn = ({ ipv4, ipv6 }: Network, address: IpAddress): boolean =>
  isIpv6(address) ? address === ipv6.linkLocal || address === ipv6.config?.address : address === ipv4.config?.address

const packetBytes = ({ destination, dataBytes }: Probe): number =>
  (isIpv6(destination) ? IPV6_HEADER_LENGTH : IPV4_HEADER_LENGTH) + MESSAGE_HEADER_LENGTH + dataBytes

/** The MTU if the probe does not fit into it. */
function exceededMtu(network: Network, probe: Probe): number | undefined {
  const version6 = isIpv6(probe.destination)
  const mtu = version6 ? network.ipv6.mtu : network.ipv4.mtu
  return (version6 || probe.dontFragment === true) && packetBytes(probe) > mtu ? mtu : undefined
}

function sendEcho(network: Network, probe: Probe, source: IpAddress, identifier: number) {
  const { destination, timeToLive, dontFragment = false } = probe
  const echo = { code: 0, rest: [identifier, probe.sequence & 0xffff], payload: pattern(probe.dataBytes) } as const
  if (isIpv6(destination) && isIpv6(source)) {
    const payload = writeIcmpv6({ ...echo, type: icmpv6Types.echoRequest }, { family: 'ipv6', source, destination })
    network.ipv6.send({ destination, source, nextHeader: protocols.icmpv6, hopLimit: timeToLive, payload })
  } else if (!isIpv6(destination)) {
    const payload = writeIcmp({ ...echo, type: icmpTypes.echoRequest })
    network.ipv4.send({ destination, protocol: protocols.icmp, timeToLive, dontFragment, payload })
  }
}

async function probeByUdp(network: Network, probe: Probe, signal: AbortSignal): Promise<ProbeResult> {
  const { destination, timeToLive, destinationPort = 7, sourcePort = network.udp.free(network.link.random) } = probe
  const key = udpKey(sourcePort, destinationPort)
  const close = network.udp.listen(sourcePort, (answer) => {
    if (answer.from !== destination || answer.sourcePort !== destinationPort) return
    network.probes.answer(key, { type: 'reply', from: answer.from, timeToLive: answer.timeToLive, bytes: answer.bytes })
  })
  const result = network.probes.expect(key, probe.timeoutMs, signal)
  sendUdp(network, { destination, sourcePort, destinationPort, timeToLive, payload: pattern(probe.dataBytes) })
  return result.finally(close)
}

/** Sends one packet and waits for its answer. Never rejects. Stops waiting when the signal aborts. */
export async function sendProbe(network: Network, probe: Probe, signal: AbortSignal): Promise<ProbeResult> {
  const { destination } = probe
  if (isOwn(network, destination)) {
    return { type: 'reply', from: destination, timeToLive: 64, bytes: packetBytes(probe), milliseconds: 0.001 }
  }
  const mtu = exceededMtu(network, probe)
  if (mtu !== undefined) return { type: 'too-big', mtu }
  const route = await findRoute(network, destination, signal)
  if (route.type !== 'ready') return route
  if (probe.protocol === 'udp') return probeByUdp(network, probe, signal)
  const identifier = randomUint16(network.link.random)
  const result = network.probes.expect(echoKey(identifier, probe.sequence & 0xffff), probe.timeoutMs, signal)
  sendEcho(network, probe, route.source, identifier)
  return result
}
