import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatIpv4, inSameNetwork, maskOf, parseIpv4, prefixLengthOf } from './ipv4-address.ts'
import {
  formatIpv6,
  inSamePrefix,
  interfaceIdentifier,
  multicastMac,
  parseIpv6,
  solicitedNode,
} from './ipv6-address.ts'
import { BROADCAST_MAC, formatMac } from './mac-address.ts'

const ipv4s = fc.nat(0xffffffff)
const ipv6s = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })

function parsed(text: string): bigint {
  const address = parseIpv6(text)
  if (address === undefined) throw new Error(`${text} was not read`)
  return address
}

describe('Ethernet addresses', () => {
  it('formats Ethernet addresses as pairs of digits', () => {
    expect([0x00507966680a, 0, BROADCAST_MAC].map(formatMac)).toEqual([
      '00:50:79:66:68:0a',
      '00:00:00:00:00:00',
      'ff:ff:ff:ff:ff:ff',
    ])
  })
})

describe('IPv4 addresses', () => {
  it('reads back every IPv4 address that it formats', () => {
    fc.assert(
      fc.property(ipv4s, (address) => {
        expect(parseIpv4(formatIpv4(address))).toBe(address)
      }),
    )
  })

  it('returns undefined for every other form', () => {
    expect(
      ['', '10.0.0', '10.0.0.256', '10.0.0.01', '10.0.0.1.2', ' 10.0.0.1', '0x0a.0.0.1', '-1.0.0.1'].map(parseIpv4),
    ).toEqual(Array(8).fill(undefined))
  })

  it('converts prefix lengths to masks and back', () => {
    for (let length = 0; length <= 32; length += 1) expect(prefixLengthOf(maskOf(length))).toBe(length)
    expect(prefixLengthOf(0xff00ff00)).toBeUndefined()
    expect(inSameNetwork(0x0a000001, 0x0a0000fe, 24)).toBe(true)
    expect(inSameNetwork(0x0a000001, 0x0a000101, 24)).toBe(false)
    expect(inSameNetwork(0xffffffff, 0x7fffffff, 0)).toBe(true)
  })
})

describe('IPv6 addresses', () => {
  it('reads back every IPv6 address that it formats, in a form that Node accepts', () => {
    fc.assert(
      fc.property(ipv6s, (address) => {
        expect(isIPv6(formatIpv6(address))).toBe(true)
        expect(parseIpv6(formatIpv6(address))).toBe(address)
      }),
    )
  })

  it('accepts the same texts as Node', () => {
    const pieces = fc.array(fc.constantFrom('::', ':', '0', '1', 'fe80', '12345', 'g', '10.0.0.1', '.'), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('')
        expect(parseIpv6(text) !== undefined).toBe(isIPv6(text))
      }),
      { numRuns: 3000 },
    )
  })

  it('formats IPv6 addresses in the shortest form of RFC 5952', () => {
    const shortest = [
      '::',
      '::1',
      '1::',
      'fe80::1',
      '2001:db8:0:1:1:1:1:1',
      '2001:0:0:1::1',
      '1:0:0:2::',
      '::ffff:10.0.0.1',
    ]
    expect(shortest.map((text) => formatIpv6(parsed(text)))).toEqual(shortest)
    expect(formatIpv6(parsed('2001:DB8:0:0:0:0:0:1'))).toBe('2001:db8::1')
  })

  it('derives identifiers and groups from addresses', () => {
    expect(formatIpv6((0xfe80n << 112n) | interfaceIdentifier(0x005079666800))).toBe('fe80::250:79ff:fe66:6800')
    expect(formatIpv6(solicitedNode(parsed('fe80::250:79ff:fe66:6800')))).toBe('ff02::1:ff66:6800')
    expect(formatMac(multicastMac(parsed('ff02::1:ff66:6800')))).toBe('33:33:ff:66:68:00')
    expect(inSamePrefix(parsed('2001:db8::1'), parsed('2001:db8::ffff'), 64)).toBe(true)
    expect(inSamePrefix(parsed('2001:db8::1'), parsed('2001:db8:0:1::1'), 64)).toBe(false)
  })
})
