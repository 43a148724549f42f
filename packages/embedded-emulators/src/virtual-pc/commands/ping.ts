import { formatIp, type IpAddress } from '../../addresses/ip-address.ts'
import { wait } from '../../clock/wait.ts'
import type { ProbeResult } from '../network/probes.ts'
import { sendProbe } from '../network/send-probe.ts'
import type { Command, CommandCall } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { resolveHost } from './resolve-host.ts'
import { describeFailure, describeIcmp, formatMs } from './wording.ts'

const protocolNumbers: Readonly<Record<number, 'icmp' | 'udp'>> = { 1: 'icmp', 17: 'udp' }

const numbers = {
  P: { least: 1, most: 255 },
  T: { least: 1, most: 255 },
  c: { least: 1, most: 1_000_000 },
  i: { least: 1, most: 3_600_000 },
  l: { least: 0, most: 65_000 },
  p: { least: 1, most: 65_535 },
  s: { least: 0, most: 65_535 },
  w: { least: 1, most: 3_600_000 },
} as const

/** Prints the result. @returns whether further packets can succeed */
const report = (result: ProbeResult, destination: IpAddress, label: string, { terminal }: CommandCall): boolean => {
  switch (result.type) {
    case 'reply': {
      const time = formatMs(result.milliseconds)
      terminal.line(
        `${result.bytes} bytes from ${formatIp(result.from)} ${label} ttl=${result.timeToLive} time=${time} ms`,
      )
      return true
    }
    case 'refused': {
      const time = formatMs(result.milliseconds)
      const reason = describeIcmp(result.from, result.icmpType, result.code)
      terminal.line(`*${formatIp(result.from)} ${label} ttl=${result.timeToLive} time=${time} ms (${reason})`)
      return true
    }
    case 'timeout':
      terminal.line(`${formatIp(destination)} ${label} timeout`)
      return true
    case 'too-big':
      terminal.line(`The packet does not fit into the MTU of ${result.mtu} bytes`)
      return false
    default:
      terminal.line(describeFailure(result, destination))
      return false
  }
}

export const ping: Command = {
  name: 'ping',
  parameters: '<host> [-options]',
  summary: 'Send echo requests to a host, by ICMP or UDP',
  details: [
    '<host> is an IPv4 or IPv6 address, or a name where a DNS server is set',
    '  -c <count>     packets to send, default 5',
    '  -t             send until Ctrl+C',
    '  -i <ms>        milliseconds between two packets, default 1000',
    '  -w <ms>        milliseconds to wait for an answer, default 1000',
    '  -l <size>      bytes of data, default 56; -s <size> is the same with ICMP',
    '  -T <ttl>       time to live, default 64',
    '  -D             do not fragment',
    '  -P <protocol>  1 is ICMP, 17 is UDP; -1 and -2 are the same',
    '  -p <port>      UDP port of the host, default 7',
    '  -s <port>      UDP port of the sender',
  ],
  async run(call) {
    const { terminal, pc, signal } = call
    const parsed = parseOptions(call.words, numbers, ['t', 'D', '1', '2', '3'])
    if (parsed.type === 'wrong') return terminal.line(parsed.message)
    const { values, flags, rest } = parsed
    const [host, ...surplus] = rest
    if (host === undefined || surplus.length > 0) return terminal.line('Usage: ping <host> [-options], see: ping ?')
    const protocol = protocolNumbers[values.get('P') ?? (flags.has('2') ? 17 : flags.has('3') ? 6 : 1)]
    if (protocol === undefined) return terminal.line('Only ICMP (1) and UDP (17) are available')
    const destination = await resolveHost(host, call)
    if (destination === undefined) return

    const source = values.get('s')
    const interval = values.get('i') ?? 1000
    const count = flags.has('t') ? Number.POSITIVE_INFINITY : (values.get('c') ?? 5)
    for (let sequence = 1; sequence <= count; sequence += 1) {
      const begin = pc.clock.now()
      const result = await sendProbe(
        pc.network,
        {
          destination,
          protocol,
          sequence,
          timeToLive: values.get('T') ?? 64,
          dataBytes: values.get('l') ?? (protocol === 'icmp' ? source : undefined) ?? 56,
          timeoutMs: values.get('w') ?? 1000,
          dontFragment: flags.has('D'),
          destinationPort: values.get('p') ?? 7,
          ...(protocol === 'udp' && source !== undefined ? { sourcePort: source } : {}),
        },
        signal,
      )
      if (signal.aborted) return
      if (!report(result, destination, `${protocol}_seq=${sequence}`, call) || sequence === count) return
      if (!(await wait(pc.clock, Math.max(0, interval - (pc.clock.now() - begin)), signal))) return
    }
  },
}
