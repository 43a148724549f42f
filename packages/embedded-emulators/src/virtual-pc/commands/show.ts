import { formatIp, type IpAddress } from '../../addresses/ip-address.ts'
import { formatIpv4 } from '../../addresses/ipv4-address.ts'
import { formatIpv6 } from '../../addresses/ipv6-address.ts'
import { formatMac } from '../../addresses/mac-address.ts'
import type { Pc } from '../pc.ts'
import type { Command, CommandCall } from './command.ts'

/** Replaces characters of texts from the network that could move the cursor. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

const withPrefix = (config: { readonly address: IpAddress; readonly prefixLength: number } | undefined): string =>
  config === undefined ? '' : `${formatIp(config.address)}/${config.prefixLength}`

const linkLocal = ({ network }: Pc): string =>
  network.ipv6.linkLocal === undefined ? '' : `${formatIpv6(network.ipv6.linkLocal)}/64`

const mac = ({ network }: Pc): string => formatMac(network.link.mac)

const dns = (pc: Pc): string => pc.dnsServers.map(formatIp).join(' ')

function rows(entries: readonly (readonly [label: string, value: string])[]): readonly string[] {
  const width = Math.max(...entries.map(([label]) => label.length))
  return entries.map(([label, value]) => `${label.padEnd(width)} : ${value}`.trimEnd())
}

function table(cells: readonly (readonly string[])[]): readonly string[] {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function summary(pc: Pc): readonly string[] {
  const { ipv4, ipv6 } = pc.network
  const gateway = ipv4.config?.gateway === undefined ? '0.0.0.0' : formatIpv4(ipv4.config.gateway)
  return table([
    ['NAME', 'IP/MASK', 'GATEWAY', 'MAC', 'DNS'],
    [pc.name, withPrefix(ipv4.config) || '0.0.0.0/0', gateway, mac(pc), dns(pc)],
    ...[linkLocal(pc), withPrefix(ipv6.config)].filter((address) => address !== '').map((address) => ['', address]),
  ])
}

function showIp(pc: Pc): readonly string[] {
  const { config, mtu } = pc.network.ipv4
  const { lease } = pc.dhcp
  return rows([
    ['NAME', pc.name],
    ['IP/MASK', withPrefix(config) || '0.0.0.0/0'],
    ['GATEWAY', config?.gateway === undefined ? '0.0.0.0' : formatIpv4(config.gateway)],
    ['DNS', dns(pc)],
    ...(pc.domain === undefined ? [] : [['DOMAIN NAME', printable(pc.domain)] as const]),
    ...(lease === undefined
      ? []
      : ([
          ['DHCP SERVER', formatIpv4(lease.server)],
          ['DHCP LEASE', `${lease.leaseSeconds}, renewed after ${Math.floor(lease.renewSeconds)}`],
        ] as const)),
    ['MAC', mac(pc)],
    ['MTU', String(mtu)],
  ])
}

function showIpv6(pc: Pc): readonly string[] {
  const { ipv6 } = pc.network
  const router = ipv6.routers.current()
  return rows([
    ['NAME', pc.name],
    ['LINK-LOCAL SCOPE', linkLocal(pc)],
    ['GLOBAL SCOPE', withPrefix(ipv6.config)],
    ['GATEWAY', ipv6.config?.gateway === undefined ? '' : formatIpv6(ipv6.config.gateway)],
    ['ROUTER LINK-LAYER', router === undefined ? '' : formatMac(router.mac)],
    ['MAC', mac(pc)],
    ['MTU', String(ipv6.mtu)],
  ])
}

function showArp({ network }: Pc): readonly string[] {
  const entries = [...network.ipv4.neighbours.entries(), ...network.ipv6.neighbours.entries()]
  if (entries.length === 0) return ['The arp table is empty']
  return entries.map(
    ({ address, mac, secondsLeft }) => `${formatMac(mac)}  ${formatIp(address)} expires in ${secondsLeft} seconds`,
  )
}

/** The lines that are printed at the start and by `version`. */
export const banner: readonly string[] = [
  'Trivium virtual PC, a part of the server: no other program is required.',
  "Press '?' to get help.",
]

const subjects: Readonly<Record<string, (pc: Pc) => readonly string[]>> = {
  arp: showArp,
  echo: (pc) => [`Lines of scripts are ${pc.scriptEcho ? '' : 'not '}printed`],
  history: (pc) => pc.history,
  ip: showIp,
  ipv6: showIpv6,
  version: () => banner,
}

function print(lines: readonly string[], { terminal }: CommandCall) {
  terminal.line('')
  for (const line of lines) terminal.line(line)
}

export const show: Command = {
  name: 'show',
  parameters: '[arguments]',
  summary: 'Print settings, neighbours and history',
  details: [
    'arp        neighbours, of IPv4 and IPv6',
    'echo       whether lines of scripts are printed',
    'history    commands that were typed',
    'ip         IPv4: address, gateway, DNS, lease',
    'ipv6       IPv6: addresses, router',
    'version    version of this machine',
    'all        everything; without an argument: a summary',
  ],
  run(call) {
    const [subject, modifier, ...surplus] = call.words
    const wrongModifier = modifier !== undefined && modifier !== 'all' && modifier !== '1'
    if (wrongModifier || surplus.length > 0)
      return call.terminal.line('Usage: show [arp|echo|history|ip|ipv6|version|all]')
    if (subject === undefined) return print(summary(call.pc), call)
    if (subject === 'all') {
      for (const part of [summary, showIp, showIpv6, showArp]) print(part(call.pc), call)
      return
    }
    const lines = Object.hasOwn(subjects, subject) ? subjects[subject] : undefined
    if (lines === undefined) return call.terminal.line(`Unknown argument "${subject}", see: show ?`)
    print(subject.startsWith('ip') && modifier === 'all' ? summary(call.pc) : lines(call.pc), call)
  },
}

const shortcut = (name: 'arp' | 'history' | 'version', summaryText: string): Command => ({
  name,
  parameters: '',
  summary: summaryText,
  run: (call) => show.run({ ...call, words: [name] }),
})

export const arp = shortcut('arp', 'The same as: show arp')
export const history = shortcut('history', 'The same as: show history')
export const version = shortcut('version', 'The same as: show version')
