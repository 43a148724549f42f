import { BROADCAST_MAC, type MacAddress } from '../../addresses/mac-address.ts'
import type { Clock } from '../../clock/clock.ts'
import { readMac } from '../../frames/bytes.ts'
import { ETHERNET_HEADER_LENGTH, etherTypes, readEthernet, writeEthernet } from '../../frames/ethernet.ts'
import { createIpv4Host, type Ipv4Host } from './ipv4-host.ts'
import { createIpv6Host, type Ipv6Host } from './ipv6-host.ts'
import type { Link } from './link.ts'
import { createProbes, type Probes } from './probes.ts'
import { sendUdp } from './send-udp.ts'
import { createUdpPorts, type UdpPorts } from './udp-ports.ts'

export interface NetworkOptions {
  readonly mac: MacAddress
  readonly clock: Clock
  readonly random: () => number
  readonly send: (frame: Uint8Array) => void
}

/** The network stack of a virtual PC. It sends answers, and nothing else by itself. */
export interface Network {
  readonly link: Link
  readonly ipv4: Ipv4Host
  readonly ipv6: Ipv6Host
  readonly udp: UdpPorts
  readonly probes: Probes
  receive(frame: Uint8Array): void
}

/** The least payload of an Ethernet frame. Shorter ones are padded, as a network card does. */
const leastPayload = 60 - ETHERNET_HEADER_LENGTH

/** Datagrams to this port are returned, as a ping by UDP requires. */
const ECHO_PORT = 7

function pad(payload: Uint8Array): Uint8Array {
  if (payload.length >= leastPayload) return payload
  const padded = new Uint8Array(leastPayload)
  padded.set(payload)
  return padded
}

export function createNetwork({ mac, clock, random, send }: NetworkOptions): Network {
  const link: Link = {
    mac,
    clock,
    random,
    send: (destination, etherType, payload) =>
      send(writeEthernet({ destination, source: mac, etherType, payload: pad(payload) })),
  }
  const udp = createUdpPorts()
  const probes = createProbes(clock)
  const ipv4 = createIpv4Host(link, udp, probes)
  const ipv6 = createIpv6Host(link, udp, probes)
  const network: Network = {
    link,
    ipv4,
    ipv6,
    udp,
    probes,
    receive(frame) {
      const destination = readMac(frame, 0)
      if (destination !== mac && destination !== BROADCAST_MAC && !ipv6.listensTo(destination)) return
      const ethernet = readEthernet(frame)
      if (ethernet === undefined) return
      if (ethernet.etherType === etherTypes.arp) ipv4.receiveArp(ethernet.payload)
      else if (ethernet.etherType === etherTypes.ipv4) ipv4.receive(ethernet.payload)
      else if (ethernet.etherType === etherTypes.ipv6) ipv6.receive(ethernet.payload, ethernet.source)
    },
  }
  udp.listen(ECHO_PORT, ({ from, sourcePort, payload }) => {
    // Two echo ports that answer each other would never stop.
    if (sourcePort !== ECHO_PORT) {
      sendUdp(network, { destination: from, sourcePort: ECHO_PORT, destinationPort: sourcePort, payload })
    }
  })
  return network
}
