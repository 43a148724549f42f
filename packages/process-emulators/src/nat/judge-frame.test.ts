import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labFrame, type Packet, ports, tagged } from '../../tests/lab-frames.ts'
import { labReach } from '../reach/lab-reach.ts'
import { arpProbe } from './arp-request.ts'
import { judgeFrame } from './judge-frame.ts'
import { prohibitedReply } from './prohibited-reply.ts'

const [ICMP, TCP, UDP, SCTP, ICMPV6] = [1, 6, 17, 132, 58]
const echo = new Uint8Array([8, 0, 0, 0, 0, 1, 0, 1])
const echoV6 = new Uint8Array([128, 0, 0, 0, 0, 1, 0, 1])
const dhcp = ports(68, 67)
const question = ports(1024, 53)

const judge = (packet: Packet, ...entries: string[]) => judgeFrame(labFrame(packet), labReach(entries))

describe('judgeFrame', () => {
  it.each<[string, Packet]>([
    ['a request for a lease', { from: '0.0.0.0', to: '255.255.255.255', payload: dhcp }],
    ['a request to keep a lease', { to: '192.168.122.1', payload: dhcp }],
    ['an echo request to the gateway', { to: '192.168.122.1', protocol: ICMP, payload: echo }],
  ])('passes %s without any reach', (_name, packet) => {
    expect(judge(packet)).toBe('pass')
  })

  it('passes address resolution without any reach, and no other hardware or protocol in it', () => {
    const reach = labReach([])
    expect(judgeFrame(arpProbe, reach)).toBe('pass')
    for (const [offset, value] of [
      [14, 1],
      [16, 9],
      [18, 8],
      [21, 3],
    ] as const) {
      const changed = arpProbe.slice()
      changed[offset] = value
      expect(judgeFrame(changed, reach)).toBe('drop')
    }
    expect(judgeFrame(arpProbe.subarray(0, 40), reach)).toBe('drop')
  })

  it.each([
    ['the gateway, which stands for the loopback address of the host', '192.168.122.1'],
    ['the resolver', '192.168.122.2'],
    ['another address of the network of the node', '192.168.122.77'],
    ['the broadcast address of that network', '192.168.122.255'],
    ['the loopback address', '127.0.0.1'],
    ['another loopback address', '127.9.9.9'],
    ['the address of metadata', '169.254.169.254'],
    ['the unspecified address', '0.0.0.0'],
    ['everyone', '255.255.255.255'],
    ['a multicast group', '224.0.0.251'],
  ])('closes %s with internet and most private networks', (_name, to) => {
    for (const [protocol, payload] of [
      [TCP, ports(1024, 22)],
      [UDP, ports(1024, 69)],
    ] as const) {
      expect(judge({ to, protocol, payload }, 'internet', '192.168.0.0/16', '10.0.0.0/8')).not.toBe('pass')
    }
  })

  it('passes questions to the resolver with internet only', () => {
    const packet = { to: '192.168.122.2', payload: question }
    expect(judge(packet, 'internet')).toBe('pass')
    expect(judge(packet, '0.0.0.0/0')).toBe('refused')
    expect(judge({ ...packet, protocol: TCP }, 'internet')).toBe('refused')
    expect(judge({ ...packet, fragment: 0x2000 }, 'internet')).toBe('refused')
  })

  it('passes TCP, UDP, ICMP and their fragments to what is open, and nothing else', () => {
    for (const protocol of [TCP, UDP, ICMP]) {
      expect(judge({ to: '10.1.2.3', protocol }, '10.0.0.0/8')).toBe('pass')
      expect(judge({ to: '10.1.2.3', protocol, fragment: 0x20b9 }, '10.0.0.0/8')).toBe('pass')
      expect(judge({ to: '11.1.2.3', protocol }, '10.0.0.0/8')).toBe('refused')
      expect(judge({ to: '11.1.2.3', protocol, fragment: 0x20b9 }, '10.0.0.0/8')).toBe('refused')
    }
    expect(judge({ to: '10.1.2.3', protocol: SCTP }, '10.0.0.0/8')).toBe('drop')
  })

  it('drops options, foreign senders, tags, other protocols of Ethernet and cut packets', () => {
    const reach = labReach(['10.0.0.0/8'])
    expect(judge({ to: '10.1.2.3', versionAndLength: 0x46 }, '10.0.0.0/8')).toBe('drop')
    expect(judge({ to: '10.1.2.3', versionAndLength: 0x65 }, '10.0.0.0/8')).toBe('drop')
    expect(judge({ from: '10.1.2.3', to: '10.1.2.3' }, '10.0.0.0/8')).toBe('drop')
    expect(judgeFrame(tagged(labFrame({ to: '10.1.2.3' })), reach)).toBe('drop')
    expect(judgeFrame(new Uint8Array(64).fill(0x88), reach)).toBe('drop')
    const whole = labFrame({ to: '10.1.2.3' })
    for (let length = 0; length < whole.length; length += 1)
      expect(judgeFrame(whole.subarray(0, length), reach)).toBe('drop')
  })

  it('has the same rules for IPv6, which is closed where the reach has none', () => {
    const to = '2606:4700::1111'
    expect(judge({ to, protocol: TCP }, 'internet')).toBe('pass')
    expect(judge({ to, protocol: TCP }, '10.0.0.0/8')).toBe('drop')
    expect(judge({ to: 'fd00::1', protocol: TCP }, 'internet')).toBe('refused')
    expect(judge({ to: 'fd00::1', protocol: TCP }, 'fd00::/8')).toBe('pass')
    expect(judge({ from: 'fd00::9', to, protocol: TCP }, 'internet')).toBe('drop')
    expect(judge({ to: '::ffff:127.0.0.1', protocol: TCP }, '::/0')).toBe('refused')
    expect(judge({ to: '::1', protocol: TCP }, '::/0')).toBe('refused')
    // The gateway stands for the loopback address of the host.
    for (const local of ['fec0::2', 'fec0::3', 'fec0::77', 'fe80::2', 'ff02::1', 'ff02::1:2'])
      for (const protocol of [TCP, UDP]) expect(judge({ to: local, protocol }, 'internet', '::/0')).toBe('drop')
    expect(judge({ to: 'fec0::3', payload: question }, 'internet')).toBe('pass')
    expect(judge({ to: 'fec0::3', payload: question }, '::/0')).toBe('drop')
    expect(judge({ to: 'fec0::2', protocol: ICMPV6, payload: echoV6 }, 'internet')).toBe('pass')
    expect(judge({ to, protocol: ICMPV6, payload: echoV6 }, 'internet')).toBe('drop')
    for (const type of [133, 135, 136]) {
      const payload = new Uint8Array(24).fill(type, 0, 1)
      expect(judge({ from: 'fe80::9', to: 'ff02::2', protocol: ICMPV6, payload }, 'internet')).toBe('pass')
      expect(judge({ from: 'fe80::9', to, protocol: ICMPV6, payload }, 'internet')).toBe('drop')
    }
    // Hop-by-hop, routing, fragment, destination options.
    for (const protocol of [0, 43, 44, 60]) expect(judge({ to, protocol }, 'internet')).toBe('drop')
  })

  it('never passes a packet to an address that is not open, with any other bytes', () => {
    const reach = labReach(['internet', '10.0.0.0/8'])
    const byte = fc.nat(255)
    const address = fc.oneof(
      fc.tuple(byte, byte, byte, byte),
      fc.tuple(fc.constantFrom(127, 0, 169, 192, 172, 224), fc.constantFrom(0, 16, 168, 254), byte, byte),
    )
    fc.assert(
      fc.property(address, fc.uint8Array({ minLength: 34, maxLength: 80 }), (destination, noise) => {
        const frame = noise.slice()
        frame.set([0x08, 0x00, 0x45], 12)
        frame.set(destination, 30)
        const to = destination.join('.')
        const isServer = ['192.168.122.1', '192.168.122.2', '255.255.255.255'].includes(to)
        if (judgeFrame(frame, reach) === 'pass' && !isServer) expect(reach.allows(to, 'ipv4')).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('prohibitedReply', () => {
  it('quotes the packet to its sender, and answers no errors, later fragments and groups', () => {
    const packet = labFrame({ to: '8.8.8.8' })
    const reply = prohibitedReply(packet)
    expect([...(reply?.subarray(0, 6) ?? [])]).toEqual([...packet.subarray(6, 12)])
    expect([...(reply?.subarray(34, 36) ?? [])]).toEqual([3, 13])
    expect([...(reply?.subarray(42) ?? [])]).toEqual([...packet.subarray(14, 42)])
    expect(prohibitedReply(labFrame({ to: '8.8.8.8', fragment: 0x20b9 }))).toBeUndefined()
    expect(prohibitedReply(labFrame({ to: '8.8.8.8', protocol: 1, payload: new Uint8Array([3, 1]) }))).toBeUndefined()
    expect(prohibitedReply(labFrame({ to: '2606:4700::1111' }))).toBeUndefined()
  })
})
