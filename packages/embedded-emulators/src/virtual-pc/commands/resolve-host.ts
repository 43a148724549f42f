import { type IpAddress, parseIp } from '../../addresses/ip-address.ts'
import { lookUpName } from '../network/dns-client.ts'
import type { CommandCall } from './command.ts'

/** Resolves the address or name of a host. Prints why it has no address, and returns `undefined` then. */
export async function resolveHost(host: string, { pc, terminal, signal }: CommandCall): Promise<IpAddress | undefined> {
  const address = parseIp(host)
  if (address !== undefined) return address
  if (/^[\d.]+$/.test(host) || host.includes(':')) {
    terminal.line(`Invalid address: ${host}`)
    return undefined
  }
  if (pc.dnsServers.length === 0) {
    terminal.line(`Cannot resolve ${host}: no DNS server is set, use: ip dns <address>`)
    return undefined
  }
  const { dnsServers: servers, domain } = pc
  const found = await lookUpName(pc.network, host, { servers, domain, signal })
  if (found === undefined && !signal.aborted) terminal.line(`Cannot resolve ${host}`)
  return found
}
