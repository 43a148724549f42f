import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrameFilter } from '../src/captures/frame-filter.ts'
import { pcapHeader, pcapRecord, pcapRecords } from '../src/captures/pcap.ts'
import { hasProgram } from './program.ts'

const tcpdump = (parameters: readonly string[], input = Buffer.alloc(0)) =>
  spawnSync('tcpdump', parameters, { input, maxBuffer: 64 * 1024 * 1024 })

const compile = (expression: string) => {
  const [, ...lines] = String(tcpdump(['-n', '-ddd', '-y', 'EN10MB', '--', expression]).stdout)
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [code = 0, jt = 0, jf = 0, k = 0] = line.split(' ').map(Number)
    return { code, jt, jf, k }
  })
}

const expressions = [
  'arp',
  'ip',
  'ip6',
  'tcp',
  'udp port 53',
  'tcp port 80 or udp portrange 50-60',
  'host 10.0.0.1',
  'net 10.0.0.0/8 and not icmp',
  'src host 10.0.0.1 and dst net 10.0.0.0 mask 255.255.0.0',
  'ip6 host 2001:db8::1',
  'ether host 02:00:00:00:00:01',
  'ether broadcast or ether multicast',
  'vlan 10 and ip',
  'vlan and vlan 5',
  'len > 60',
  'less 40 or greater 70',
  'ip[6:2] & 0x1fff != 0',
  'tcp[tcpflags] & (tcp-syn|tcp-fin) != 0',
  'tcp[12:1] / 16 * 4 > 20',
  'icmp[icmptype] = icmp-echo',
  '(ip[2:2] - ((ip[0] & 0xf) << 2)) > 30',
  'ether[14:4] % 7 = 3',
  'ether[0:4] ^ ether[4:4] > 0x10000',
  'ip proto 89 or ip proto \\udp',
  'mpls 7',
  'pppoes',
]

// Bytes that the expressions look for are frequent, so that each of them accepts some frames.
const address = fc.constantFrom([10, 0, 0, 1], [10, 0, 7, 1], [192, 0, 2, 1])
const mac = fc.constantFrom([2, 0, 0, 0, 0, 1], [255, 255, 255, 255, 255, 255], [1, 0, 94, 0, 0, 1])
const tag = fc.constantFrom([], [0x81, 0, 0, 10], [0x81, 0, 0, 10, 0x81, 0, 0, 5], [0x88, 0xa8, 0, 10])
const port = fc.constantFrom([0, 80], [0, 53], [0, 55], [1, 0])
const small = fc.uint8Array({ maxLength: 60 })
const packet = fc
  .record({
    first: fc.constantFrom(0x45, 0x46, 0x4f, 0x60),
    length: fc.nat(255),
    fragment: fc.constantFrom([0, 0], [0x40, 0], [0, 7]),
    protocol: fc.constantFrom(1, 6, 17, 89),
    source: address,
    destination: address,
    ports: fc.tuple(port, port),
    rest: small,
  })
  .map(({ first, length, fragment, protocol, source, destination, ports, rest }) => [
    ...[first, 0, 0, length, 0, 0, ...fragment, 64, protocol, 0, 0, ...source, ...destination],
    ...ports.flat(),
    ...rest,
  ])
const type = fc.constantFrom([8, 0], [8, 6], [0x86, 0xdd], [0x88, 0x47], [0x88, 0x64], [0, 40])
const likely = fc
  .record({
    to: mac,
    from: mac,
    tag,
    type,
    payload: fc.oneof(
      packet,
      small.map((bytes) => [...bytes]),
    ),
  })
  .map(({ to, from, tag: tags, type: etherType, payload }) =>
    Uint8Array.from([...to, ...from, ...tags, ...etherType, ...payload]),
  )
const frames = fc.oneof({ weight: 9, arbitrary: likely }, fc.uint8Array({ minLength: 14, maxLength: 100 }))

const suite = hasProgram('tcpdump', 'tcpdump') ? describe : describe.skip

suite('a filter that tcpdump has compiled', () => {
  it.each(expressions)('accepts the frames that tcpdump accepts: %s', (expression) => {
    const program = compile(expression)
    expect(program.length).toBeGreaterThan(0)
    const filter = createFrameFilter(program)
    const samples = fc.sample(frames, { numRuns: 500, seed: 7 })
    // The time of a record identifies its frame.
    const file = Buffer.concat([pcapHeader(1), ...samples.map((frame, index) => pcapRecord(frame, index * 1000))])
    const { stdout } = tcpdump(['-n', '-r', '-', '-w', '-', '--', expression], file)
    const accepted = [...pcapRecords(stdout.subarray(24))].map((record) => Buffer.from(record).readUInt32LE(0))
    expect(samples.flatMap((frame, index) => (filter(frame) ? [index] : []))).toEqual(accepted)
  })
})
