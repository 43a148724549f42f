import { formatIp, parseIp } from '../../addresses/ip-address.ts'
import { isDomainName } from '../../frames/dns.ts'
import type { Command, CommandCall } from './command.ts'
import { ipAuto } from './ip-auto.ts'
import { ipDhcp } from './ip-dhcp.ts'
import { parseAddress } from './parse-address.ts'
import { setIpv4, setIpv6 } from './set-address.ts'

const mtus = { least: 576, most: 9000 } as const

function setDns(words: readonly string[], { pc, terminal }: CommandCall) {
  const [first] = words
  if (first === '0' && words.length === 1) {
    pc.dnsServers = []
    return
  }
  const servers = words.map(parseIp)
  const addresses = servers.filter((server) => server !== undefined)
  if (servers.length === 0 || servers.length > 2 || addresses.length < servers.length) {
    return terminal.line('Usage: ip dns <address> [<address>], or ip dns 0 to remove all')
  }
  pc.dnsServers = addresses
  terminal.line(`DNS ${addresses.map(formatIp).join(' ')}`)
}

const setDomain = ([name, ...surplus]: readonly string[], { pc, terminal }: CommandCall) => {
  if (name === undefined) pc.domain = undefined
  else if (surplus.length > 0 || !isDomainName(name)) terminal.line('Usage: ip domain <name>')
  else pc.domain = name
}

function setMtu([word, ...surplus]: readonly string[], { pc, terminal }: CommandCall) {
  const mtu = word !== undefined && /^\d{1,5}$/.test(word) ? Number(word) : 0
  if (surplus.length > 0 || mtu < mtus.least || mtu > mtus.most) {
    return terminal.line(`Usage: ip mtu <${mtus.least} to ${mtus.most}>`)
  }
  pc.network.ipv4.mtu = mtu
}

async function setAddress(call: CommandCall) {
  const parsed = parseAddress(call.words, call.pc.network.link.mac)
  if (parsed.type === 'wrong') call.terminal.line(parsed.message)
  else if (parsed.type === 'ipv4') await setIpv4(parsed.config, call)
  else await setIpv6(parsed.config, call)
}

export const ip: Command = {
  name: 'ip',
  parameters: '<address>[/<mask>] [<gateway>]',
  summary: 'Set the address, or acquire one: dhcp, auto, dns, domain, mtu',
  details: [
    '<address>[/<mask>] [<gateway>]',
    '               IPv4 or IPv6; the mask is 26, /26 or 255.255.255.192, default /24 or /64',
    '<address> eui-64',
    '               IPv6, with the identifier of the interface as the second half',
    'auto           form an IPv6 address and set the gateway from a router',
    'dhcp [-d|-r|-x]',
    '               acquire an IPv4 address from a server; -d prints the messages, -r renews, -x releases',
    'dns <address> [<address>]',
    '               DNS servers; 0 removes all',
    'domain <name>  domain that is appended to short names',
    'mtu <bytes>    size of IPv4 packets, 576 to 9000',
  ],
  async run(call) {
    const [verb, ...rest] = call.words
    if (verb === undefined) call.terminal.line('Usage: ip <address>[/<mask>] [<gateway>], see: ip ?')
    else if (verb === 'auto') await ipAuto(call)
    else if (verb === 'dhcp') await ipDhcp(rest, call)
    else if (verb === 'dns') setDns(rest, call)
    else if (verb === 'domain') setDomain(rest, call)
    else if (verb === 'mtu') setMtu(rest, call)
    else await setAddress(call)
  },
}

export const dhcp: Command = {
  name: 'dhcp',
  parameters: '[-options]',
  summary: 'The same as: ip dhcp',
  run: (call) => ipDhcp(call.words, call),
}
