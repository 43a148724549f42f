import { formatIpv4, maskOf } from '../../addresses/ipv4-address.ts'
import { formatIpv6 } from '../../addresses/ipv6-address.ts'
import { formatMac } from '../../addresses/mac-address.ts'
import type { Ipv4Config } from '../network/ipv4-host.ts'
import type { Ipv6Config } from '../network/ipv6-host.ts'
import type { CommandCall } from './command.ts'

/** Sets the address unless another host on the link uses it. */
export async function setIpv4(config: Ipv4Config, { pc, terminal, signal }: CommandCall): Promise<void> {
  const { ipv4 } = pc.network
  terminal.line('Checking for duplicate address...')
  const holder = config.address === ipv4.config?.address ? undefined : await ipv4.findHolder(config.address)
  if (signal.aborted) return
  if (holder !== undefined) {
    terminal.line(`${formatIpv4(config.address)} is used by ${formatMac(holder)}: nothing was changed`)
    return
  }
  pc.dhcp.forget()
  ipv4.config = config
  ipv4.neighbours.clear()
  ipv4.announce()
  const gateway = config.gateway === undefined ? '' : ` gateway ${formatIpv4(config.gateway)}`
  terminal.line(`${pc.name} : ${formatIpv4(config.address)} ${formatIpv4(maskOf(config.prefixLength))}${gateway}`)
}

/** Sets the global address unless another host on the link uses it. @returns whether it was set */
export async function setIpv6(config: Ipv6Config, { pc, terminal, signal }: CommandCall): Promise<boolean> {
  const { ipv6 } = pc.network
  const taken = config.address !== ipv6.config?.address && (await ipv6.isTaken(config.address))
  if (signal.aborted) return false
  if (taken) {
    terminal.line(`${formatIpv6(config.address)} is used by another host: nothing was changed`)
    return false
  }
  ipv6.config = config
  ipv6.neighbours.clear()
  pc.autoIpv6 = false
  const gateway = config.gateway === undefined ? '' : ` gateway ${formatIpv6(config.gateway)}`
  terminal.line(`${pc.name} : ${formatIpv6(config.address)}/${config.prefixLength}${gateway}`)
  return true
}
