import type { Ipv4Address } from '../src/addresses/ipv4-address.ts'
import { BROADCAST_MAC, type MacAddress } from '../src/addresses/mac-address.ts'
import { type Arp, readArp, writeArp } from '../src/frames/arp.ts'
import { type Ethernet, etherTypes, readEthernet, writeEthernet } from '../src/frames/ethernet.ts'
import { type Icmp, readIcmp } from '../src/frames/icmp.ts'
import { readIcmpv6, writeIcmpv6 } from '../src/frames/icmpv6.ts'
import { type Ipv4, protocols, readIpv4, writeIpv4 } from '../src/frames/ipv4.ts'
import { type Ipv6, readIpv6, writeIpv6 } from '../src/frames/ipv6.ts'
import type { NeighbourMessage } from '../src/frames/neighbour-message.ts'
import { readNeighbourMessage } from '../src/frames/read-neighbour-message.ts'
import { readUdp, type Udp, writeUdp } from '../src/frames/udp.ts'
import { writeNeighbourMessage } from '../src/frames/write-neighbour-message.ts'
import type { Wire } from './pc-lab.ts'

/** A host on the wire that a test controls. It keeps every frame that it receives. */
export interface TestHost {
  readonly mac: MacAddress
  readonly frames: readonly Ethernet[]
  readonly arps: readonly Arp[]
  readonly ipv4: readonly Ipv4[]
  readonly icmp: readonly (Icmp & { readonly packet: Ipv4 })[]
  readonly udp: readonly (Udp & { readonly packet: Ipv4 })[]
  readonly ipv6: readonly Ipv6[]
  readonly icmpv6: readonly (Icmp & { readonly packet: Ipv6 })[]
  readonly neighbours: readonly (NeighbourMessage & { readonly packet: Ipv6 })[]
  /** Called with every received frame. */
  onFrame: (frame: Ethernet) => void
  send(frame: Omit<Ethernet, 'source'>): void
  sendArp(arp: Omit<Arp, 'senderMac'>, to?: MacAddress): void
  sendIpv4(packet: Partial<Ipv4> & Pick<Ipv4, 'source' | 'destination' | 'protocol' | 'payload'>, to: MacAddress): void
  sendUdp(udp: Udp, source: Ipv4Address, destination: Ipv4Address, to: MacAddress): void
  sendNeighbour(message: NeighbourMessage, source: bigint, destination: bigint, to: MacAddress, hopLimit?: number): void
}

const parse = <T, U>(items: readonly T[], read: (item: T) => U | undefined): readonly U[] =>
  items.map(read).filter((item) => item !== undefined)

export const createTestHost = (wire: Wire, mac: MacAddress): TestHost => {
  const frames: Ethernet[] = []
  const transmit = wire.attach((frame) => {
    const ethernet = readEthernet(frame)
    if (ethernet === undefined) return
    frames.push(ethernet)
    host.onFrame(ethernet)
  })
  const payloads = (etherType: number) =>
    frames.filter((frame) => frame.etherType === etherType).map(({ payload }) => payload)
  const host: TestHost = {
    mac,
    frames,
    onFrame: () => {},
    get arps() {
      return parse(payloads(etherTypes.arp), readArp)
    },
    get ipv4() {
      return parse(payloads(etherTypes.ipv4), readIpv4)
    },
    get icmp() {
      return parse(host.ipv4, (packet) => {
        const icmp = packet.protocol === protocols.icmp ? readIcmp(packet.payload) : undefined
        return icmp && { ...icmp, packet }
      })
    },
    get udp() {
      return parse(host.ipv4, (packet) => {
        const ends = { family: 'ipv4', source: packet.source, destination: packet.destination } as const
        const udp = packet.protocol === protocols.udp ? readUdp(packet.payload, ends) : undefined
        return udp && { ...udp, packet }
      })
    },
    get ipv6() {
      return parse(payloads(etherTypes.ipv6), readIpv6)
    },
    get icmpv6() {
      return parse(host.ipv6, (packet) => {
        const ends = { family: 'ipv6', source: packet.source, destination: packet.destination } as const
        const icmp = packet.nextHeader === protocols.icmpv6 ? readIcmpv6(packet.payload, ends) : undefined
        return icmp && { ...icmp, packet }
      })
    },
    get neighbours() {
      return parse(host.icmpv6, (icmp) => {
        const message = readNeighbourMessage(icmp)
        return message && { ...message, packet: icmp.packet }
      })
    },
    send: (frame) => transmit(writeEthernet({ ...frame, source: mac })),
    sendArp: (arp, destination = BROADCAST_MAC) =>
      host.send({ destination, etherType: etherTypes.arp, payload: writeArp({ ...arp, senderMac: mac }) }),
    sendIpv4(packet, destination) {
      const defaults = {
        timeToLive: 64,
        identification: 1,
        dontFragment: false,
        moreFragments: false,
        fragmentOffset: 0,
      }
      host.send({ destination, etherType: etherTypes.ipv4, payload: writeIpv4({ ...defaults, ...packet }) })
    },
    sendUdp: (udp, source, destination, to) =>
      host.sendIpv4(
        {
          source,
          destination,
          protocol: protocols.udp,
          payload: writeUdp(udp, { family: 'ipv4', source, destination }),
        },
        to,
      ),
    sendNeighbour(message, source, destination, to, hopLimit = 255) {
      const payload = writeIcmpv6(writeNeighbourMessage(message), { family: 'ipv6', source, destination })
      const packet = { source, destination, nextHeader: protocols.icmpv6, hopLimit, payload }
      host.send({ destination: to, etherType: etherTypes.ipv6, payload: writeIpv6(packet) })
    },
  }
  return host
}
