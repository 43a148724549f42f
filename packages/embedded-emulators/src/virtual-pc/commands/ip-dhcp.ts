import { formatIpv4 } from '../../addresses/ipv4-address.ts'
import { formatMac } from '../../addresses/mac-address.ts'
import { type Dhcp, dhcpTypes } from '../../frames/dhcp.ts'
import type { DhcpExchange } from '../network/dhcp-client.ts'
import type { CommandCall } from './command.ts'
import { parseOptions } from './parse-options.ts'

const letters: Readonly<Record<number, string>> = {
  [dhcpTypes.discover]: 'D',
  [dhcpTypes.offer]: 'O',
  [dhcpTypes.request]: 'R',
  [dhcpTypes.acknowledge]: 'A',
  [dhcpTypes.refuse]: 'N',
}

const names: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(dhcpTypes).map(([name, type]) => [type, name.toUpperCase()]),
)

function decode(direction: 'sent' | 'received', message: Dhcp): readonly string[] {
  const address = (label: string, value: number | undefined) =>
    value === undefined ? [] : [`  ${label}: ${formatIpv4(value)}`]
  return [
    `${direction === 'sent' ? '>' : '<'} DHCP ${names[message.type] ?? message.type}`,
    `  transaction: 0x${message.transaction.toString(16).padStart(8, '0')}`,
    `  client: ${formatMac(message.clientMac)}`,
    ...address('client address', message.clientAddress),
    ...address('your address', message.yourAddress),
    ...address('requested address', message.requestedAddress),
    ...address('server', message.serverAddress),
    ...address('mask', message.mask),
    ...address('router', message.router),
    ...(message.dnsServers ?? []).flatMap((server) => address('DNS server', server)),
    ...(message.leaseSeconds === undefined ? [] : [`  lease: ${message.leaseSeconds} s`]),
  ]
}

/** Runs `ip dhcp` and `dhcp`: acquires, renews (-r) or releases (-x) an address. -d prints the messages. */
export async function ipDhcp(words: readonly string[], { pc, terminal, signal }: CommandCall): Promise<void> {
  const parsed = parseOptions(words, {}, ['d', 'r', 'x'])
  if (parsed.type === 'wrong') return terminal.line(parsed.message)
  if (parsed.rest.length > 0) return terminal.line('Usage: dhcp [-d] [-r | -x]')
  const showsMessages = parsed.flags.has('d')
  const exchange: DhcpExchange = {
    signal,
    message(direction, message) {
      if (!showsMessages) return terminal.write(letters[message.type] ?? '')
      for (const line of decode(direction, message)) terminal.line(line)
    },
  }
  if (parsed.flags.has('x')) {
    const released = await pc.dhcp.release(exchange)
    if (signal.aborted) return
    return terminal.line(released ? 'The address was released' : 'There is no lease to release')
  }
  const outcome = await (parsed.flags.has('r') ? pc.dhcp.renew(exchange) : pc.dhcp.acquire(exchange))
  if (signal.aborted) return
  switch (outcome.type) {
    case 'bound': {
      const { address, prefixLength, gateway } = outcome.lease
      const gatewayText = gateway === undefined ? '' : ` GW ${formatIpv4(gateway)}`
      return terminal.line(`${showsMessages ? '' : ' '}IP ${formatIpv4(address)}/${prefixLength}${gatewayText}`)
    }
    case 'no-server':
      if (!showsMessages) terminal.line('')
      return terminal.line("Can't find dhcp server")
    case 'refused':
      return terminal.line(`${showsMessages ? '' : ' '}The server refused`)
    case 'conflict':
      return terminal.line(
        `${showsMessages ? '' : ' '}${formatIpv4(outcome.address)} is used by another host: it was declined`,
      )
  }
}
