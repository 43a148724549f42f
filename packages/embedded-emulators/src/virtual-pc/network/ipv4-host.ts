import {
  BROADCAST_IPV4,
  type Ipv4Address,
  inSameNetwork,
  isMulticastIpv4,
  maskOf,
} from '../../addresses/ipv4-address.ts'
import { BROADCAST_MAC, type MacAddress } from '../../addresses/mac-address.ts'
import { type Arp, readArp, writeArp } from '../../frames/arp.ts'
import { etherTypes } from '../../frames/ethernet.ts'
import { type Ipv4, readIpv4, writeIpv4 } from '../../frames/ipv4.ts'
import { createReassembly, fragment } from './fragments.ts'
import { createIpv4Receiver } from './ipv4-receiver.ts'
import { type Link, randomUint16 } from './link.ts'
import { createNeighbourCache, type NeighbourCache } from './neighbour-cache.ts'
import type { OutgoingIpv4 } from './outgoing-ipv4.ts'
import type { Probes } from './probes.ts'
import type { Route } from './route.ts'
import type { UdpPorts } from './udp-ports.ts'

export interface Ipv4Config {
  readonly address: Ipv4Address
  readonly prefixLength: number
  readonly gateway?: Ipv4Address
}

export interface Ipv4Host {
  config: Ipv4Config | undefined
  mtu: number
  readonly neighbours: NeighbourCache<Ipv4Address>
  receiveArp(payload: Uint8Array): void
  receive(payload: Uint8Array): void
  /** Finds the route to a destination. Sends ARP requests where it must. */
  route(destination: Ipv4Address, done: (route: Route<Ipv4Address>) => void): void
  /** Sends the packet, or drops it where it has no route. */
  send(packet: OutgoingIpv4): void
  /** Sends with the given addresses, without an own address: for DHCP. */
  sendFrom(source: Ipv4Address, mac: MacAddress, packet: OutgoingIpv4): void
  /** Sends three ARP probes for the address within a second. @returns the host that uses it */
  findHolder(address: Ipv4Address): Promise<MacAddress | undefined>
  /** Announces the address to all hosts of the link. */
  announce(): void
}

const CONFLICT_TRIES = 3
const CONFLICT_MS = 300

export function createIpv4Host(link: Link, udp: UdpPorts, probes: Probes): Ipv4Host {
  const reassembly = createReassembly()
  const pendingProbes = new Map<Ipv4Address, (holder: MacAddress) => void>()
  let identification = randomUint16(link.random)

  const sendArp = (arp: Pick<Arp, 'operation' | 'senderAddress' | 'targetAddress' | 'targetMac'>, to: MacAddress) =>
    link.send(to, etherTypes.arp, writeArp({ ...arp, senderMac: link.mac }))

  const solicit = (senderAddress: Ipv4Address, targetAddress: Ipv4Address) =>
    sendArp({ operation: 'request', senderAddress, targetAddress, targetMac: 0 }, BROADCAST_MAC)

  const neighbours = createNeighbourCache<Ipv4Address>({
    clock: link.clock,
    solicit: (address) => solicit(host.config?.address ?? 0, address),
  })

  const groupMac = (destination: Ipv4Address): MacAddress | undefined => {
    if (isMulticastIpv4(destination)) return 0x01005e000000 + (destination & 0x7fffff)
    return isBroadcast(destination) ? BROADCAST_MAC : undefined
  }

  const isBroadcast = (address: Ipv4Address): boolean => {
    if (address === BROADCAST_IPV4) return true
    const { config } = host
    if (config === undefined || config.prefixLength > 30) return false
    return (
      inSameNetwork(address, config.address, config.prefixLength) &&
      (address | maskOf(config.prefixLength)) >>> 0 === BROADCAST_IPV4
    )
  }

  const transmit = (mac: MacAddress, source: Ipv4Address, packet: OutgoingIpv4) => {
    identification = (identification + 1) & 0xffff
    const whole: Ipv4 = {
      timeToLive: 64,
      dontFragment: false,
      ...packet,
      source,
      identification,
      moreFragments: false,
      fragmentOffset: 0,
    }
    for (const piece of fragment(whole, host.mtu)) link.send(mac, etherTypes.ipv4, writeIpv4(piece))
  }

  const host: Ipv4Host = {
    config: undefined,
    mtu: 1500,
    neighbours,

    receiveArp(payload) {
      const arp = readArp(payload)
      if (arp === undefined || arp.senderMac === link.mac) return
      const isOurs = host.config !== undefined && arp.targetAddress === host.config.address
      const claimed = arp.senderAddress === 0 ? arp.targetAddress : arp.senderAddress
      pendingProbes.get(claimed)?.(arp.senderMac)
      if (arp.senderAddress !== 0) neighbours.learn(arp.senderAddress, arp.senderMac, isOurs)
      if (!isOurs || arp.operation !== 'request') return
      const [senderAddress, targetAddress] = [arp.targetAddress, arp.senderAddress]
      sendArp({ operation: 'reply', senderAddress, targetAddress, targetMac: arp.senderMac }, arp.senderMac)
    },

    receive(payload) {
      const piece = readIpv4(payload)
      if (piece === undefined) return
      const packet = reassembly.add(piece)
      if (packet !== undefined) receiver(packet, payload.subarray(0, 28))
    },

    route(destination, done) {
      const { config } = host
      if (config === undefined) return done({ type: 'no-address' })
      const group = groupMac(destination)
      if (group !== undefined) return done({ type: 'ready', mac: group, source: config.address })
      const hop = inSameNetwork(destination, config.address, config.prefixLength) ? destination : config.gateway
      if (hop === undefined) return done({ type: 'no-route' })
      neighbours.resolve(hop, (mac) =>
        done(mac === undefined ? { type: 'no-neighbour', hop } : { type: 'ready', mac, source: config.address }),
      )
    },

    send(packet) {
      host.route(packet.destination, (route) => {
        if (route.type === 'ready') transmit(route.mac, route.source, packet)
      })
    },

    sendFrom: (source, mac, packet) => transmit(mac, source, packet),

    findHolder: (address) =>
      new Promise((resolve) => {
        let left = CONFLICT_TRIES
        let cancel = () => {}
        const finish = (holder: MacAddress | undefined) => {
          cancel()
          pendingProbes.delete(address)
          resolve(holder)
        }
        const probeAgain = () => {
          if (left === 0) return finish(undefined)
          left -= 1
          cancel = link.clock.after(CONFLICT_MS, probeAgain)
          solicit(0, address)
        }
        pendingProbes.set(address, finish)
        probeAgain()
      }),

    announce() {
      if (host.config !== undefined) solicit(host.config.address, host.config.address)
    },
  }

  const receiver = createIpv4Receiver({
    udp,
    probes,
    isOwn: (address) => address === host.config?.address,
    isBroadcast,
    send: host.send,
  })

  return host
}
