import type { IpAddress } from '../../addresses/ip-address.ts'
import { DNS_PORT, dnsTypes, isDomainName, readDnsAnswer, writeDnsQuery } from '../../frames/dns.ts'
import { randomUint16 } from './link.ts'
import type { Network } from './network.ts'
import { sendUdp } from './send-udp.ts'

export interface LookUpOptions {
  readonly servers: readonly IpAddress[]
  /** Appended to a name without a dot. */
  readonly domain: string | undefined
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 1000
const ATTEMPTS = 2

const query = (network: Network, server: IpAddress, name: string, type: number, signal: AbortSignal) =>
  new Promise<readonly IpAddress[] | undefined>((resolve) => {
    const identification = randomUint16(network.link.random)
    const sourcePort = network.udp.free(network.link.random)
    const finish = (addresses: readonly IpAddress[] | undefined) => {
      cancel()
      close()
      signal.removeEventListener('abort', giveUp)
      resolve(addresses)
    }
    const giveUp = () => finish(undefined)
    const close = network.udp.listen(sourcePort, (arrival) => {
      if (arrival.from !== server || arrival.sourcePort !== DNS_PORT) return
      const answer = readDnsAnswer(arrival.payload)
      if (answer?.identification === identification) finish(type === dnsTypes.a ? answer.ipv4 : answer.ipv6)
    })
    const cancel = network.link.clock.after(TIMEOUT_MS, giveUp)
    signal.addEventListener('abort', giveUp, { once: true })
    const payload = writeDnsQuery(identification, name, type)
    sendUdp(network, { destination: server, sourcePort, destinationPort: DNS_PORT, payload })
  })

/** Returns the first address of a name, IPv4 before IPv6. `undefined` where no server returns one. */
export async function lookUpName(
  network: Network,
  name: string,
  { servers, domain, signal }: LookUpOptions,
): Promise<IpAddress | undefined> {
  const full = domain !== undefined && !name.includes('.') ? `${name}.${domain}` : name
  if (!isDomainName(full)) return undefined
  for (const server of servers) {
    for (const type of [dnsTypes.a, dnsTypes.aaaa]) {
      for (let left = ATTEMPTS; left > 0 && !signal.aborted; left -= 1) {
        const addresses = await query(network, server, full, type, signal)
        if (addresses?.[0] !== undefined) return addresses[0]
        if (addresses !== undefined) break
      }
    }
  }
  return undefined
}
