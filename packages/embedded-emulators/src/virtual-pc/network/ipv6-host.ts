import {
  ALL_NODES,
  ALL_ROUTERS,
  type Ipv6Address,
  inSamePrefix,
  interfaceIdentifier,
  isLinkLocal,
  isMulticastIpv6,
  multicastMac,
  prefixMask,
  solicitedNode,
  UNSPECIFIED_IPV6,
} from '../../addresses/ipv6-address.ts'
import type { MacAddress } from '../../addresses/mac-address.ts'
import { etherTypes } from '../../frames/ethernet.ts'
import { writeIcmpv6 } from '../../frames/icmpv6.ts'
import { protocols } from '../../frames/ipv4.ts'
import { type Ipv6, readIpv6, writeIpv6 } from '../../frames/ipv6.ts'
import { DISCOVERY_HOP_LIMIT, type NeighbourMessage } from '../../frames/neighbour-message.ts'
import { writeNeighbourMessage } from '../../frames/write-neighbour-message.ts'
import { createIpv6Receiver } from './ipv6-receiver.ts'
import type { Link } from './link.ts'
import { createNeighbourCache, type NeighbourCache } from './neighbour-cache.ts'
import type { OutgoingIpv6 } from './outgoing-ipv6.ts'
import type { Probes } from './probes.ts'
import type { Route } from './route.ts'
import { createRouters, type Routers } from './routers.ts'
import type { UdpPorts } from './udp-ports.ts'

export interface Ipv6Config {
  readonly address: Ipv6Address
  readonly prefixLength: number
  readonly gateway?: Ipv6Address
}

export interface Ipv6Host {
  /** The link-local address. `undefined` before the start, and when another host uses it. */
  linkLocal: Ipv6Address | undefined
  /** The global address. */
  config: Ipv6Config | undefined
  readonly mtu: number
  readonly neighbours: NeighbourCache<Ipv6Address>
  readonly routers: Routers
  /** Whether frames for the group are received: a cheap test before a frame is read. */
  listensTo(group: MacAddress): boolean
  receive(payload: Uint8Array, from: MacAddress): void
  route(destination: Ipv6Address, done: (route: Route<Ipv6Address>) => void): void
  send(packet: OutgoingIpv6): void
  /** Sends two solicitations for the address within a second. @returns whether another host uses it */
  isTaken(address: Ipv6Address): Promise<boolean>
  /** Sends a router solicitation. Answers arrive at `routers`. */
  solicitRouters(): void
  /** The address that this host forms in a prefix of 64 bits. */
  addressIn(prefix: Ipv6Address): Ipv6Address
}

const CONFLICT_TRIES = 2
const CONFLICT_MS = 500
const LINK_LOCAL_PREFIX: Ipv6Address = 0xfe80n << 112n

export function createIpv6Host(link: Link, udp: UdpPorts, probes: Probes): Ipv6Host {
  const pendingProbes = new Map<Ipv6Address, () => void>()
  const routers = createRouters(link.clock)

  const transmit = (mac: MacAddress, packet: Ipv6) => link.send(mac, etherTypes.ipv6, writeIpv6(packet))

  const sendDiscovery = (source: Ipv6Address, destination: Ipv6Address, mac: MacAddress, message: NeighbourMessage) => {
    const ends = { family: 'ipv6', source, destination } as const
    const payload = writeIcmpv6(writeNeighbourMessage(message), ends)
    transmit(mac, { source, destination, nextHeader: protocols.icmpv6, hopLimit: DISCOVERY_HOP_LIMIT, payload })
  }

  const sourceFor = (destination: Ipv6Address): Ipv6Address | undefined =>
    isLinkLocal(destination) || (isMulticastIpv6(destination) && ((destination >> 112n) & 0xfn) === 2n)
      ? host.linkLocal
      : (host.config?.address ?? host.linkLocal)

  const solicit = (target: Ipv6Address, source: Ipv6Address) => {
    const destination = solicitedNode(target)
    const sender = source === UNSPECIFIED_IPV6 ? {} : { linkAddress: link.mac }
    sendDiscovery(source, destination, multicastMac(destination), { kind: 'neighbour-solicitation', target, ...sender })
  }

  const neighbours = createNeighbourCache<Ipv6Address>({
    clock: link.clock,
    solicit: (address) => solicit(address, sourceFor(address) ?? UNSPECIFIED_IPV6),
  })

  const isOnLink = (destination: Ipv6Address): boolean => {
    if (isLinkLocal(destination)) return true
    const { config } = host
    return config !== undefined && inSamePrefix(destination, config.address, config.prefixLength)
  }

  const allNodesMac = multicastMac(ALL_NODES)
  /** The groups of the own addresses. `groupsOf` has the addresses from which they were computed. */
  let groups: readonly MacAddress[] = []
  let groupsOf: readonly (Ipv6Address | undefined)[] = []

  const ownGroups = (): readonly MacAddress[] => {
    const global = host.config?.address
    if (groupsOf[0] === host.linkLocal && groupsOf[1] === global) return groups
    groupsOf = [host.linkLocal, global]
    groups = groupsOf.flatMap((address) => (address === undefined ? [] : [multicastMac(solicitedNode(address))]))
    return groups
  }

  const host: Ipv6Host = {
    linkLocal: undefined,
    config: undefined,
    get mtu() {
      return routers.current()?.mtu ?? 1500
    },
    neighbours,
    routers,

    listensTo: (group) => group === allNodesMac || pendingProbes.size > 0 || ownGroups().includes(group),

    receive(payload, from) {
      const packet = readIpv6(payload)
      if (packet !== undefined) receiver(packet, from, payload)
    },

    route(destination, done) {
      const source = sourceFor(destination)
      if (source === undefined) return done({ type: 'no-address' })
      if (isMulticastIpv6(destination)) return done({ type: 'ready', mac: multicastMac(destination), source })
      const hop = isOnLink(destination) ? destination : (host.config?.gateway ?? routers.current()?.address)
      if (hop === undefined) return done({ type: 'no-route' })
      neighbours.resolve(hop, (mac) =>
        done(mac === undefined ? { type: 'no-neighbour', hop } : { type: 'ready', mac, source }),
      )
    },

    send(packet) {
      host.route(packet.destination, (route) => {
        if (route.type === 'ready') transmit(route.mac, { hopLimit: 64, source: route.source, ...packet })
      })
    },

    isTaken: (address) =>
      new Promise((resolve) => {
        let left = CONFLICT_TRIES
        let cancel = () => {}
        const finish = (taken: boolean) => {
          cancel()
          pendingProbes.delete(address)
          resolve(taken)
        }
        const probeAgain = () => {
          if (left === 0) return finish(false)
          left -= 1
          cancel = link.clock.after(CONFLICT_MS, probeAgain)
          solicit(address, UNSPECIFIED_IPV6)
        }
        pendingProbes.set(address, () => finish(true))
        probeAgain()
      }),

    solicitRouters() {
      const source = host.linkLocal ?? UNSPECIFIED_IPV6
      const sender = source === UNSPECIFIED_IPV6 ? {} : { linkAddress: link.mac }
      sendDiscovery(source, ALL_ROUTERS, multicastMac(ALL_ROUTERS), { kind: 'router-solicitation', ...sender })
    },

    addressIn: (prefix) => (prefix & prefixMask(64)) | interfaceIdentifier(link.mac),
  }

  const isOwn = (address: Ipv6Address): boolean => address === host.linkLocal || address === host.config?.address

  const receiver = createIpv6Receiver({
    udp,
    probes,
    isOwn,
    isListening: (group) =>
      group === ALL_NODES ||
      [host.linkLocal, host.config?.address, ...pendingProbes.keys()].some(
        (address) => address !== undefined && group === solicitedNode(address),
      ),
    send: host.send,
    discovered(message, source, from) {
      switch (message.kind) {
        case 'neighbour-solicitation': {
          if (source === UNSPECIFIED_IPV6 && from !== link.mac) pendingProbes.get(message.target)?.()
          if (source !== UNSPECIFIED_IPV6) neighbours.learn(source, message.linkAddress ?? from, isOwn(message.target))
          if (!isOwn(message.target)) return
          const answer: NeighbourMessage = {
            kind: 'neighbour-advertisement',
            target: message.target,
            fromRouter: false,
            solicited: source !== UNSPECIFIED_IPV6,
            override: true,
            linkAddress: link.mac,
          }
          if (source === UNSPECIFIED_IPV6) sendDiscovery(message.target, ALL_NODES, multicastMac(ALL_NODES), answer)
          else sendDiscovery(message.target, source, message.linkAddress ?? from, answer)
          return
        }
        case 'neighbour-advertisement':
          pendingProbes.get(message.target)?.()
          neighbours.learn(message.target, message.linkAddress ?? from, false)
          return
        case 'router-advertisement':
          if (!isLinkLocal(source)) return
          neighbours.learn(source, message.linkAddress ?? from, true)
          routers.receiveAdvertisement(source, message.linkAddress ?? from, message)
          return
        case 'router-solicitation':
      }
    },
  })

  return host
}

/** The link-local address of a network card. */
export const linkLocalOf = (mac: MacAddress): Ipv6Address => LINK_LOCAL_PREFIX | interfaceIdentifier(mac)
