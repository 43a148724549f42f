import { networkInterfaces } from 'node:os'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labReach } from './lab-reach.ts'
import { readOwnAddresses } from './own-addresses.ts'

const own = ['10.0.0.5', '203.0.114.5', '2a00::5', 'fd00::5']

async function reachOf(...entries: string[]) {
  const reach = labReach(entries, { ownAddresses: async () => own })
  await reach.refresh()
  return (address: string) => reach.allows(address, address.includes(':') ? 'ipv6' : 'ipv4')
}

const privateAddresses = [
  ...['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '169.254.169.254', '127.0.0.1'],
  ...['127.1.2.3', '0.0.0.0', '0.1.2.3', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', '192.0.2.1'],
  ...['198.18.0.1', '198.51.100.1', '203.0.113.1', '192.0.0.1', '192.88.99.1'],
  ...['::', '::1', '::ffff:8.8.8.8', 'fe80::1', 'fec0::2', 'fd12::1', 'ff02::1', '2001:db8::1', '2002:a00:1::1'],
  ...['2001::1', '64:ff9b::a00:1', '100::1', '3fff::1', '::8.8.8.8'],
]
const publicAddresses = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00::6']

describe('labReach', () => {
  it('opens nothing without entries', async () => {
    const allows = await reachOf()
    expect([...privateAddresses, ...publicAddresses, ...own].filter(allows)).toEqual([])
  })

  it("opens public addresses with 'internet', and no address of this machine", async () => {
    const allows = await reachOf('internet')
    expect(publicAddresses.filter((address) => !allows(address))).toEqual([])
    expect([...privateAddresses, ...own].filter(allows)).toEqual([])
  })

  it('opens the networks of its entries, without the addresses of this machine in them', async () => {
    const allows = await reachOf('10.0.0.0/8', 'fd00::/8')
    expect(['10.0.0.4', '10.255.255.255', 'fd12::1'].filter((address) => !allows(address))).toEqual([])
    expect(['10.0.0.5', 'fd00::5', '11.0.0.1', '8.8.8.8', '2606:4700::1111'].filter(allows)).toEqual([])
  })

  it('opens an address of this machine only where an entry is that address', async () => {
    const named = await reachOf('10.0.0.5', '127.0.0.1/32', '::1')
    expect(['10.0.0.5', '127.0.0.1', '::1'].filter((address) => !named(address))).toEqual([])
    expect(named('127.0.0.2')).toBe(false)
    const wide = await reachOf('127.0.0.0/8', '0.0.0.0/0', '::/0')
    expect(['127.0.0.1', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1', ...own].filter(wide)).toEqual([])
    expect(wide('169.254.169.254')).toBe(true)
  })

  it('keeps the families apart', async () => {
    expect((await reachOf('::/0'))('8.8.8.8')).toBe(false)
    expect((await reachOf('0.0.0.0/0'))('2606:4700::1111')).toBe(false)
    expect(labReach(['10.0.0.0/8']).families).toEqual({ ipv4: true, ipv6: false })
  })

  it.each([
    'internets',
    '10.0.0.0/33',
    '::/129',
    '10.0.0',
    'fe80::1%eth0',
    '10.0.0.0/8/8',
    '',
    'example.org',
  ])("refuses the entry '%s'", (entry) => {
    expect(() => labReach([entry])).toThrow(RangeError)
  })

  it('agrees with the arithmetic of prefixes', () => {
    const word = fc.nat(0xffff_ffff)
    const text = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 31 }), word, (network, prefix, address) => {
        const mask = (0xffff_ffff << (32 - prefix)) >>> 0
        const isLocal = address >>> 24 === 0 || address >>> 24 === 127
        const inside = ((network ^ address) & mask) === 0
        const reach = labReach([`${text(network)}/${prefix}`])
        expect(reach.allows(text(address), 'ipv4')).toBe(inside && !isLocal)
      }),
    )
  })
})

describe('readOwnAddresses', () => {
  it('lists the addresses of all interfaces', async () => {
    const addresses = await readOwnAddresses()
    const listed = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
    expect(addresses).toEqual(expect.arrayContaining(listed.map((address) => address.replace(/%.*$/, ''))))
    expect(addresses).toContain('127.0.0.1')
  })
})
