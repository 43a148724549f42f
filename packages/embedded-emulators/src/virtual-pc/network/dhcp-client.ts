import { BROADCAST_IPV4, type Ipv4Address, isHostIpv4, prefixLengthOf } from '../../addresses/ipv4-address.ts'
import { BROADCAST_MAC } from '../../addresses/mac-address.ts'
import { type Dhcp, dhcpPorts, dhcpTypes, readDhcp, writeDhcp } from '../../frames/dhcp.ts'
import { isDomainName } from '../../frames/dns.ts'
import { protocols } from '../../frames/ipv4.ts'
import { writeUdp } from '../../frames/udp.ts'
import { findRoute } from './find-route.ts'
import type { Network } from './network.ts'

interface Lease {
  readonly address: Ipv4Address
  readonly prefixLength: number
  readonly server: Ipv4Address
  readonly gateway?: Ipv4Address
  readonly dnsServers: readonly Ipv4Address[]
  readonly domain?: string
  readonly leaseSeconds: number
  readonly renewSeconds: number
  readonly obtainedAt: number
}

type DhcpOutcome =
  | { readonly type: 'bound'; readonly lease: Lease }
  | { readonly type: 'no-server' }
  | { readonly type: 'refused' }
  /** Another host uses the address that the server assigned. */
  | { readonly type: 'conflict'; readonly address: Ipv4Address }

export interface DhcpClientOptions {
  readonly network: Network
  readonly hostName: () => string
  /** Called with each new lease, and with `undefined` when it expires, is not renewed or is released. */
  readonly changed: (lease: Lease | undefined) => void
}

export interface DhcpExchange {
  readonly signal: AbortSignal
  /** Called with every message that is sent or accepted. */
  readonly message?: (direction: 'sent' | 'received', message: Dhcp) => void
}

export interface DhcpClient {
  readonly lease: Lease | undefined
  /** Requests a lease. Declines an address that another host uses. Never rejects. */
  acquire(exchange: DhcpExchange): Promise<DhcpOutcome>
  /** Renews the lease. Without a lease, acquires one. Never rejects. */
  renew(exchange: DhcpExchange): Promise<DhcpOutcome>
  /** @returns false without a lease */
  release(exchange: DhcpExchange): Promise<boolean>
  /** Drops the lease without a message to the server, as when the address is set by hand. */
  forget(): void
}

const ATTEMPTS = 3
const TIMEOUT_MS = 1000
/** The requested options: mask, router, DNS servers, domain name. */
const parameters = [1, 3, 6, 15] as const
const MIN_RETRY_SECONDS = 60
/** Longer leases are shortened to this, as timers of more than 24 days do not work. */
const MAX_LEASE_SECONDS = 7 * 24 * 3600

function leaseOf(message: Dhcp, now: number): Lease | undefined {
  const { yourAddress: address, serverAddress: server, mask, router, dnsServers = [], leaseSeconds } = message
  // Some servers end the name with a zero byte.
  const domain = message.domainName?.replace(/\0+$/, '')
  const prefixLength = prefixLengthOf(mask ?? 0xffffff00)
  if (address === undefined || server === undefined || prefixLength === undefined || !isHostIpv4(address))
    return undefined
  const held = Math.min(leaseSeconds ?? 3600, MAX_LEASE_SECONDS)
  return {
    address,
    prefixLength,
    server,
    dnsServers: dnsServers.slice(0, 2),
    leaseSeconds: held,
    renewSeconds: Math.min(message.renewSeconds ?? held / 2, held / 2),
    obtainedAt: now,
    ...(router === undefined ? {} : { gateway: router }),
    ...(domain === undefined || !isDomainName(domain) ? {} : { domain }),
  }
}

/** Creates a client with one timer while there is a lease, and none otherwise. */
export function createDhcpClient({ network, hostName, changed }: DhcpClientOptions): DhcpClient {
  const { link, ipv4, udp } = network
  let lease: Lease | undefined
  let cancelTimer = () => {}

  const transmit = (message: Dhcp, exchange: Pick<DhcpExchange, 'message'>, server?: Ipv4Address) => {
    exchange.message?.('sent', message)
    const source = message.clientAddress ?? 0
    const destination = server ?? BROADCAST_IPV4
    const ports = { sourcePort: dhcpPorts.client, destinationPort: dhcpPorts.server }
    const payload = writeUdp({ ...ports, payload: writeDhcp(message) }, { family: 'ipv4', source, destination })
    if (server === undefined) ipv4.sendFrom(source, BROADCAST_MAC, { destination, protocol: protocols.udp, payload })
    else ipv4.send({ destination, protocol: protocols.udp, payload })
  }

  /** Sends up to three times, until an answer of one of the types arrives. */
  const sendUntilAnswered = async (
    message: Dhcp,
    accepted: readonly number[],
    exchange: DhcpExchange,
    server?: Ipv4Address,
  ): Promise<Dhcp | undefined> => {
    for (let left = ATTEMPTS; left > 0 && !exchange.signal.aborted; left -= 1) {
      const answer = await new Promise<Dhcp | undefined>((resolve) => {
        const finish = (received: Dhcp | undefined) => {
          cancel()
          close()
          exchange.signal.removeEventListener('abort', giveUp)
          resolve(received)
        }
        const giveUp = () => finish(undefined)
        const cancel = link.clock.after(TIMEOUT_MS, giveUp)
        exchange.signal.addEventListener('abort', giveUp, { once: true })
        const close = udp.listen(dhcpPorts.client, ({ payload }) => {
          const received = readDhcp(payload)
          if (received?.transaction !== message.transaction || received.clientMac !== link.mac) return
          if (accepted.includes(received.type)) finish(received)
        })
        transmit(message, exchange, server)
      })
      if (answer === undefined) continue
      exchange.message?.('received', answer)
      return answer
    }
    return undefined
  }

  const base = (type: number): Dhcp => ({
    type,
    transaction: Math.floor(link.random() * 0x100000000),
    clientMac: link.mac,
    hostName: hostName(),
    parameters,
  })

  const dropLease = () => {
    cancelTimer()
    lease = undefined
    changed(undefined)
  }

  const bindLease = (next: Lease) => {
    cancelTimer()
    lease = next
    changed(next)
    scheduleRenewal(next.renewSeconds)
  }

  const scheduleRenewal = (seconds: number) => {
    cancelTimer = link.clock.after(seconds * 1000, () => void renewBeforeExpiry())
  }

  const renewBeforeExpiry = async () => {
    const held = lease
    if (held === undefined) return
    const outcome = await client.renew({ signal: new AbortController().signal })
    if (lease !== held || outcome.type === 'bound') return
    const left = held.obtainedAt / 1000 + held.leaseSeconds - link.clock.now() / 1000
    if (outcome.type === 'refused' || left <= 0) dropLease()
    else scheduleRenewal(Math.min(left, Math.max(MIN_RETRY_SECONDS, left / 2)))
  }

  const client: DhcpClient = {
    get lease() {
      return lease
    },

    async acquire(exchange) {
      const discover = { ...base(dhcpTypes.discover), broadcast: true }
      const offer = await sendUntilAnswered(discover, [dhcpTypes.offer], exchange)
      if (offer?.yourAddress === undefined || offer.serverAddress === undefined) return { type: 'no-server' }
      const { transaction } = offer
      const { yourAddress: requestedAddress, serverAddress } = offer
      const request: Dhcp = { ...discover, type: dhcpTypes.request, requestedAddress, serverAddress }
      const answer = await sendUntilAnswered(request, [dhcpTypes.acknowledge, dhcpTypes.refuse], exchange)
      if (answer === undefined) return { type: 'no-server' }
      const granted = answer.type === dhcpTypes.acknowledge ? leaseOf(answer, link.clock.now()) : undefined
      if (granted === undefined) return { type: 'refused' }
      if ((await ipv4.findHolder(granted.address)) !== undefined) {
        const decline: Dhcp = {
          type: dhcpTypes.decline,
          transaction,
          clientMac: link.mac,
          requestedAddress,
          serverAddress,
        }
        transmit(decline, exchange)
        return { type: 'conflict', address: granted.address }
      }
      if (exchange.signal.aborted) return { type: 'no-server' }
      bindLease(granted)
      return { type: 'bound', lease: granted }
    },

    async renew(exchange) {
      const held = lease
      if (held === undefined) return client.acquire(exchange)
      const request: Dhcp = { ...base(dhcpTypes.request), clientAddress: held.address }
      const accepted = [dhcpTypes.acknowledge, dhcpTypes.refuse]
      const answer = await sendUntilAnswered(request, accepted, exchange, held.server)
      if (answer === undefined) return { type: 'no-server' }
      const granted = answer.type === dhcpTypes.acknowledge ? leaseOf(answer, link.clock.now()) : undefined
      if (granted === undefined) return { type: 'refused' }
      bindLease(granted)
      return { type: 'bound', lease: granted }
    },

    async release(exchange) {
      const held = lease
      if (held === undefined) return false
      const { address: clientAddress, server: serverAddress } = held
      // The server must be resolved before the address is dropped: the message itself has no answer.
      await findRoute(network, serverAddress, exchange.signal)
      if (exchange.signal.aborted || lease !== held) return true
      transmit({ ...base(dhcpTypes.release), clientAddress, serverAddress }, exchange, serverAddress)
      dropLease()
      return true
    },

    forget() {
      cancelTimer()
      lease = undefined
    },
  }
  return client
}
