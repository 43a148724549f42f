import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readArp, writeArp } from './arp.ts'
import { checksumOf } from './checksum.ts'
import { type Dhcp, readDhcp, writeDhcp } from './dhcp.ts'
import { dnsTypes, isDomainName, readDnsAnswer, writeDnsQuery } from './dns.ts'
import { readEthernet, writeEthernet } from './ethernet.ts'
import { readIcmp, writeIcmp } from './icmp.ts'
import { readIcmpv6, writeIcmpv6 } from './icmpv6.ts'
import { readIpv4, writeIpv4 } from './ipv4.ts'
import { readIpv6, writeIpv6 } from './ipv6.ts'
import type { NeighbourMessage } from './neighbour-message.ts'
import type { Ends } from './pseudo-header.ts'
import { readNeighbourMessage } from './read-neighbour-message.ts'
import { readUdp, writeUdp } from './udp.ts'
import { isTagged, popTag, pushTag, tagProtocols, vlanOf } from './vlan-tag.ts'
import { writeNeighbourMessage } from './write-neighbour-message.ts'

const byte = fc.nat(0xff)
const short = fc.nat(0xffff)
const long = fc.nat(0xffffffff)
const mac = fc.integer({ min: 0, max: 0xffffffffffff })
const wide = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })
const bytes = fc.uint8Array({ maxLength: 200 })
const absent = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

/** Removes keys whose value is undefined: the readers omit them. */
const compact = <T extends object>(value: T): T =>
  // Only optional keys are removed.
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T

const ends: fc.Arbitrary<Ends> = fc.oneof(
  fc.record({ family: fc.constant('ipv4' as const), source: long, destination: long }),
  fc.record({ family: fc.constant('ipv6' as const), source: wide, destination: wide }),
)

describe('the reader of a protocol', () => {
  it('reads back a written Ethernet frame', () => {
    fc.assert(
      fc.property(fc.record({ destination: mac, source: mac, etherType: short, payload: bytes }), (frame) => {
        expect(readEthernet(writeEthernet(frame))).toEqual(frame)
      }),
    )
  })

  it('reads back a written ARP packet', () => {
    const operation = fc.constantFrom('request' as const, 'reply' as const)
    const packets = fc.record({ operation, senderMac: mac, senderAddress: long, targetMac: mac, targetAddress: long })
    fc.assert(
      fc.property(packets, (packet) => {
        expect(readArp(writeArp(packet))).toEqual(packet)
      }),
    )
  })

  it('reads back a written IPv4 packet', () => {
    const packets = fc.record({
      source: long,
      destination: long,
      protocol: byte,
      timeToLive: byte,
      identification: short,
      dontFragment: fc.boolean(),
      moreFragments: fc.boolean(),
      fragmentOffset: fc.nat(0x1fff).map((units) => units * 8),
      payload: bytes,
    })
    fc.assert(
      fc.property(packets, (packet) => {
        expect(readIpv4(writeIpv4(packet))).toEqual(packet)
      }),
    )
  })

  it('reads back a written IPv6 packet', () => {
    const packets = fc.record({ source: wide, destination: wide, nextHeader: byte, hopLimit: byte, payload: bytes })
    fc.assert(
      fc.property(packets, (packet) => {
        expect(readIpv6(writeIpv6(packet))).toEqual(packet)
      }),
    )
  })

  it('reads back a written UDP datagram', () => {
    fc.assert(
      fc.property(fc.record({ sourcePort: short, destinationPort: short, payload: bytes }), ends, (udp, between) => {
        expect(readUdp(writeUdp(udp, between), between)).toEqual(udp)
      }),
    )
  })

  it('reads back a written ICMP and ICMPv6 message', () => {
    const messages = fc.record({ type: byte, code: byte, rest: fc.tuple(short, short), payload: bytes })
    fc.assert(
      fc.property(messages, ends, (message, between) => {
        expect(readIcmp(writeIcmp(message))).toEqual(message)
        expect(readIcmpv6(writeIcmpv6(message, between), between)).toEqual(message)
      }),
    )
  })

  it('reads back a written neighbour discovery message', () => {
    const linkAddress = absent(mac)
    const prefix = fc.record({
      prefix: wide,
      prefixLength: fc.nat(128),
      onLink: fc.boolean(),
      autonomous: fc.boolean(),
      validSeconds: long,
    })
    const messages: fc.Arbitrary<object> = fc.oneof(
      fc.record({ kind: fc.constant('router-solicitation'), linkAddress }),
      fc.record({
        kind: fc.constant('router-advertisement'),
        hopLimit: byte,
        lifetimeSeconds: short,
        linkAddress,
        mtu: absent(long),
        prefixes: fc.array(prefix, { maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('neighbour-solicitation'), target: wide, linkAddress }),
      fc.record({
        kind: fc.constant('neighbour-advertisement'),
        target: wide,
        fromRouter: fc.boolean(),
        solicited: fc.boolean(),
        override: fc.boolean(),
        linkAddress,
      }),
    )
    fc.assert(
      fc.property(messages, (generated) => {
        // The arbitraries above are the members of the union.
        const message = compact(generated) as NeighbourMessage
        expect(readNeighbourMessage(writeNeighbourMessage(message))).toEqual(message)
      }),
    )
  })

  it('reads back a written DHCP message', () => {
    const text = absent(fc.stringMatching(/^[a-z][a-z0-9-]{0,40}$/))
    const address = absent(fc.integer({ min: 1, max: 0xffffffff }))
    const messages = fc.record({
      type: fc.integer({ min: 1, max: 7 }),
      transaction: long,
      clientMac: mac,
      broadcast: fc.constantFrom(true, undefined),
      clientAddress: address,
      yourAddress: address,
      mask: address,
      router: address,
      dnsServers: absent(fc.array(long, { minLength: 1, maxLength: 4 })),
      hostName: text,
      domainName: text,
      requestedAddress: address,
      leaseSeconds: absent(long),
      serverAddress: address,
      renewSeconds: absent(long),
      rebindSeconds: absent(long),
      parameters: absent(fc.array(byte, { minLength: 1, maxLength: 20 })),
    })
    fc.assert(
      fc.property(messages, (generated) => {
        // The record is a DHCP message once the absent keys are removed.
        const message = compact(generated) as Dhcp
        expect(readDhcp(writeDhcp(message))).toEqual(message)
      }),
    )
  })
})

describe('readers of damaged messages', () => {
  it('never throw, regardless of the bytes', () => {
    const between: Ends = { family: 'ipv4', source: 1, destination: 2 }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => {
        readEthernet(noise)
        readArp(noise)
        readIpv4(noise)
        readIpv6(noise)
        readUdp(noise, between)
        readIcmp(noise)
        readDhcp(noise)
        readDnsAnswer(noise)
        for (let type = 133; type < 138; type += 1) {
          readNeighbourMessage({ type, code: 0, rest: [0, 0], payload: noise })
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('return undefined when one bit of a message with a checksum has changed', () => {
    const icmp = writeIcmp({ type: 8, code: 0, rest: [1, 2], payload: new Uint8Array(40).fill(0x5a) })
    fc.assert(
      fc.property(fc.nat(icmp.length * 8 - 1), (bit) => {
        const damaged = Uint8Array.from(icmp)
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(readIcmp(damaged)).toBeUndefined()
      }),
    )
  })

  it('return undefined for a discovery message with an option of length 0', () => {
    const payload = new Uint8Array(24)
    payload[16] = 1
    expect(readNeighbourMessage({ type: 135, code: 0, rest: [0, 0], payload })).toBeUndefined()
  })
})

describe('checksums', () => {
  it('match the example of RFC 1071', () => {
    expect(checksumOf(Uint8Array.of(0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7))).toBe(0x220d)
  })

  it('match another implementation in an echo request', () => {
    const request = Buffer.from('0800f7fd00010001', 'hex')
    expect(readIcmp(request)).toEqual({ type: 8, code: 0, rest: [1, 1], payload: Buffer.alloc(0) })
  })
})

describe('popTag', () => {
  const frames = fc.uint8Array({ minLength: 14, maxLength: 1600 })

  it('restores the frame that pushTag has tagged', () => {
    fc.assert(
      fc.property(frames, fc.constantFrom(...tagProtocols), fc.nat(4095), (frame, protocol, vlan) => {
        const tagged = new Uint8Array(frame.length + 4)
        expect(pushTag(frame, protocol, vlan, tagged)).toBe(frame.length + 4)
        expect(isTagged(tagged)).toBe(true)
        expect(vlanOf(tagged)).toBe(vlan)
        const plain = new Uint8Array(frame.length)
        expect(popTag(tagged, plain)).toBe(frame.length)
        expect(plain).toEqual(frame)
      }),
    )
  })
})

describe('DNS', () => {
  it('writes a query in the format of RFC 1035', () => {
    expect(Buffer.from(writeDnsQuery(0x1234, 'pc1.lab', dnsTypes.a)).toString('hex')).toBe(
      '12340100000100000000000003706331036c61620000010001',
    )
  })

  it('reads addresses after an alias and a compressed name', () => {
    const query = Buffer.from(writeDnsQuery(7, 'pc1.lab', dnsTypes.a))
    const alias = Buffer.from('c00c00050001000000050004026162c010', 'hex')
    const address = Buffer.from('c00c000100010000000500040a000001', 'hex')
    const answer = Buffer.concat([query, alias, address])
    answer.writeUInt16BE(0x8180, 2)
    answer.writeUInt16BE(2, 6)
    // The alias states four bytes of data but has five, so that what follows is misaligned.
    expect(readDnsAnswer(answer)).toBeUndefined()
    alias.writeUInt16BE(5, 10)
    expect(readDnsAnswer(Buffer.concat([answer.subarray(0, query.length), alias, address]))).toEqual({
      identification: 7,
      responseCode: 0,
      ipv4: [0x0a000001],
      ipv6: [],
    })
  })

  it('accepts names with labels of at most 63 characters', () => {
    expect(['a', 'pc1.lab', 'a'.repeat(63), 'x.y.', '_ldap._tcp.lab'].map(isDomainName)).toEqual(Array(5).fill(true))
    expect(['', '.', 'a..b', '-a', 'a-', 'a b', 'a'.repeat(64)].map(isDomainName)).toEqual(Array(7).fill(false))
  })
})
