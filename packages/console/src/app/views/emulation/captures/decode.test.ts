import { expect, it } from 'vitest'
import { decodePacket } from './decode.ts'

const ETHERNET = 1
function packet(...hex: readonly string[]) {
  const digits = hex.join('').replaceAll(/\s/g, '')
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
const macs = '0050796668 01 0050796668 00'
const ipv4 = (protocol: string, length: string) => `0800 4500 ${length} 0001 0000 40 ${protocol} 0000 0a000001 0a000002`

it.each([
  [
    'an echo request with padding',
    packet(macs, ipv4('01', '001c'), '0800 0000 0102 0003', '00'.repeat(18)),
    { source: '10.0.0.1', destination: '10.0.0.2', protocol: 'ICMP', info: 'Echo request, id 258, sequence 3' },
  ],
  [
    'an ARP request',
    packet('ffffffffffff 005079666800 0806 0001 0800 06 04 0001 005079666800 0a000001 ffffffffffff 0a000002'),
    {
      source: '00:50:79:66:68:00',
      destination: 'ff:ff:ff:ff:ff:ff',
      protocol: 'ARP',
      info: 'Request for 10.0.0.2 from 10.0.0.1',
    },
  ],
  [
    'a frame with a VLAN',
    packet(macs, '8100 0014', ipv4('11', '0020'), '0044 0043 000c 0000 00000000'),
    { source: '10.0.0.1', destination: '10.0.0.2', protocol: 'UDP', info: 'VLAN 20 · 68 → 67, 4 bytes (DHCP)' },
  ],
  [
    'a TCP segment',
    packet(macs, ipv4('06', '0028'), 'c000 0050 00000007 00000000 5012 ffff 0000 0000'),
    { source: '10.0.0.1', destination: '10.0.0.2', protocol: 'TCP', info: '49152 → 80 [SYN, ACK] sequence 7, 0 bytes' },
  ],
  [
    'a neighbour solicitation',
    packet(
      macs,
      '86dd 60000000 0018 3a ff fe800000000000000000000000000001 ff0200000000000000000001ff000002',
      '87 00 0000 00000000 fe800000000000000000000000000002',
    ),
    {
      source: 'fe80::1',
      destination: 'ff02::1:ff00:2',
      protocol: 'ICMPv6',
      info: 'Neighbour solicitation for fe80::2',
    },
  ],
])('decodes %s', (_what, bytes, words) => {
  expect(decodePacket(bytes, ETHERNET)).toEqual(words)
})

it('marks a packet as truncated, at any length', () => {
  const whole = packet(macs, ipv4('01', '001c'), '0800 0000 0102 0003')
  for (let length = 0; length < whole.length; length += 1) {
    expect(decodePacket(whole.subarray(0, length), ETHERNET).info).toBe('Truncated')
  }
  expect(decodePacket(whole.subarray(0, 34), ETHERNET).source).toBe('10.0.0.1')
})

it('shows only the type and the length of other data links', () => {
  expect(decodePacket(packet('0f000800'), 104)).toMatchObject({ info: 'Data link type 104, 4 bytes' })
})
