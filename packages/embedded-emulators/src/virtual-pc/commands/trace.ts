import { formatIp, type IpAddress, isIpv6 } from '../../addresses/ip-address.ts'
import { icmpTypes } from '../../frames/icmp.ts'
import { icmpv6Types } from '../../frames/icmpv6.ts'
import type { ProbeResult } from '../network/probes.ts'
import { sendProbe } from '../network/send-probe.ts'
import type { Command, CommandCall } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { resolveHost } from './resolve-host.ts'
import { describeFailure, describeIcmp, formatMs } from './wording.ts'

const numbers = {
  P: { least: 1, most: 255 },
  m: { least: 1, most: 64 },
  w: { least: 1, most: 60_000 },
} as const

/** The first of the ports on which hosts are not expected to listen. */
const FIRST_PORT = 33_434
const PROBES_PER_HOP = 3

/** The packet has expired at a router on the way: the trace continues. */
const hasExpired = (result: ProbeResult): boolean =>
  result.type === 'refused' && result.icmpType === (isIpv6(result.from) ? icmpv6Types : icmpTypes).timeExceeded

interface Hop {
  readonly number: number
  readonly destination: IpAddress
  readonly probe: (sequence: number) => Promise<ProbeResult>
}

/** Prints a line for three probes with the same time to live. @returns whether the trace has ended */
async function traceHop({ number, destination, probe }: Hop, { terminal, signal }: CommandCall): Promise<boolean> {
  terminal.write(`${String(number).padStart(2)}  `)
  let shown: string | undefined
  for (let index = 0; index < PROBES_PER_HOP; index += 1) {
    const result = await probe(number * PROBES_PER_HOP + index)
    if (signal.aborted) break
    if (result.type === 'timeout') {
      terminal.write(' *')
      continue
    }
    if (result.type !== 'reply' && result.type !== 'refused') {
      terminal.line(result.type === 'too-big' ? ' the packet is too big' : ` ${describeFailure(result, destination)}`)
      return true
    }
    const from = formatIp(result.from)
    const time = `   ${formatMs(result.milliseconds)} ms`
    if (!hasExpired(result)) {
      const reason = result.type === 'refused' ? ` (${describeIcmp(result.from, result.icmpType, result.code)})` : ''
      terminal.line(` *${from}${time}${reason}`)
      return true
    }
    terminal.write(shown === from ? time : ` ${from}${time}`)
    shown = from
  }
  terminal.line('')
  return false
}

export const trace: Command = {
  name: 'trace',
  parameters: '<host> [-options]',
  summary: 'Print the route of packets to a host',
  details: [
    '  -P <protocol>  17 is UDP, the default; 1 is ICMP',
    '  -m <ttl>       hops at most, default 8; the number alone is the same',
    '  -w <ms>        milliseconds to wait for an answer, default 1000',
  ],
  async run(call) {
    const { terminal, pc, signal } = call
    const parsed = parseOptions(call.words, numbers)
    if (parsed.type === 'wrong') return terminal.line(parsed.message)
    const { values, rest } = parsed
    const [host, ttl, ...surplus] = rest
    const wrongTtl = ttl !== undefined && (!/^\d{1,2}$/.test(ttl) || Number(ttl) < 1 || Number(ttl) > 64)
    if (host === undefined || wrongTtl || surplus.length > 0) {
      return terminal.line('Usage: trace <host> [-options], see: trace ?')
    }
    const protocol = values.get('P') ?? 17
    if (protocol !== 1 && protocol !== 17) return terminal.line('Only UDP (17) and ICMP (1) are available')
    const destination = await resolveHost(host, call)
    if (destination === undefined) return

    const hops = values.get('m') ?? Number(ttl ?? 8)
    terminal.line(`trace to ${host}, ${hops} hops max, press Ctrl+C to stop`)
    for (let hop = 1; hop <= hops && !signal.aborted; hop += 1) {
      const probe = (sequence: number) =>
        sendProbe(
          pc.network,
          {
            destination,
            protocol: protocol === 1 ? 'icmp' : 'udp',
            sequence,
            timeToLive: hop,
            dataBytes: 56,
            timeoutMs: values.get('w') ?? 1000,
            destinationPort: FIRST_PORT + sequence,
          },
          signal,
        )
      if (await traceHop({ number: hop, destination, probe }, call)) return
    }
  },
}
