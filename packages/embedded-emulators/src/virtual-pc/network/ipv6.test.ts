import { beforeEach, describe, expect, it } from 'vitest'
import { createTestHost, type TestHost } from '../../../tests/network-host.ts'
import { createPcLab, type LabPc, type PcLab } from '../../../tests/pc-lab.ts'
import { ALL_NODES, ALL_ROUTERS, multicastMac, parseIpv6, solicitedNode } from '../../addresses/ipv6-address.ts'
import { icmpv6Types, writeIcmpv6 } from '../../frames/icmpv6.ts'
import { protocols } from '../../frames/ipv4.ts'
import { writeIpv6 } from '../../frames/ipv6.ts'
import type { NeighbourMessage } from '../../frames/neighbour-message.ts'

function ip(text: string): bigint {
  const address = parseIpv6(text)
  if (address === undefined) throw new Error(`${text} is not an address`)
  return address
}

const pcMac = 0x005079666800
const linkLocal = ip('fe80::250:79ff:fe66:6800')
const router = ip('fe80::1')
const routerMac = 0x020000000001
const peer = ip('fe80::7')

let lab: PcLab
let host: TestHost

beforeEach(() => {
  lab = createPcLab()
  host = createTestHost(lab.wire, routerMac)
})

const kinds = () => host.neighbours.map(({ kind }) => kind)

const announce = (message: Partial<Extract<NeighbourMessage, { kind: 'router-advertisement' }>> = {}, hopLimit = 255) =>
  host.sendNeighbour(
    {
      kind: 'router-advertisement',
      hopLimit: 64,
      lifetimeSeconds: 1800,
      linkAddress: routerMac,
      prefixes: [{ prefix: ip('2001:db8:1::'), prefixLength: 64, onLink: true, autonomous: true, validSeconds: 3600 }],
      ...message,
    },
    router,
    ALL_NODES,
    multicastMac(ALL_NODES),
    hopLimit,
  )

/** Makes the machine learn the address of the host. */
async function learnHost(address: bigint, target = linkLocal) {
  host.sendNeighbour({ kind: 'neighbour-solicitation', target, linkAddress: routerMac }, address, target, pcMac)
  await lab.clock.pass(0)
}

describe('a virtual PC that starts', () => {
  it('probes its link-local address, then solicits routers', async () => {
    await lab.pc('PC1')
    expect(kinds()).toEqual(['neighbour-solicitation', 'neighbour-solicitation', 'router-solicitation'])
    expect(host.neighbours[0]).toMatchObject({
      target: linkLocal,
      packet: { source: 0n, destination: solicitedNode(linkLocal), hopLimit: 255 },
    })
    expect(host.neighbours[2]).toMatchObject({
      linkAddress: pcMac,
      packet: { source: linkLocal, destination: ALL_ROUTERS },
    })
    expect(host.frames.at(-1)?.destination).toBe(multicastMac(ALL_ROUTERS))
    expect(lab.clock.timers).toBe(0)
  })

  it('removes the address when another host uses it', async () => {
    await lab.pc('PC1')
    const duplicate = await lab.pc('PC2', { mac: pcMac })
    expect(duplicate.screen).toContain('fe80::250:79ff:fe66:6800 is used by another host')
    expect(duplicate.screen).toMatch(/PC2> $/)
    expect(await duplicate.run('ping fe80::1')).toContain('no address yet')
  })
})

describe('a virtual PC that receives a message', () => {
  let pc: LabPc
  beforeEach(async () => {
    pc = await lab.pc('PC1')
  })

  it('answers a solicitation of its address', async () => {
    await learnHost(peer)
    expect(host.neighbours.at(-1)).toMatchObject({
      kind: 'neighbour-advertisement',
      target: linkLocal,
      solicited: true,
      override: true,
      fromRouter: false,
      linkAddress: pcMac,
      packet: { source: linkLocal, destination: peer, hopLimit: 255 },
    })
    expect(await pc.run('arp')).toContain('02:00:00:00:00:01  fe80::7 expires in 120 seconds')
  })

  it('answers a probe for its address to all nodes', async () => {
    host.sendNeighbour(
      { kind: 'neighbour-solicitation', target: linkLocal },
      0n,
      solicitedNode(linkLocal),
      multicastMac(solicitedNode(linkLocal)),
    )
    await lab.clock.pass(0)
    expect(host.neighbours.at(-1)).toMatchObject({
      kind: 'neighbour-advertisement',
      solicited: false,
      packet: { destination: ALL_NODES },
    })
  })

  it('ignores a message that has passed a router', async () => {
    const before = host.neighbours.length
    host.sendNeighbour(
      { kind: 'neighbour-solicitation', target: linkLocal, linkAddress: routerMac },
      peer,
      linkLocal,
      pcMac,
      254,
    )
    announce({}, 254)
    await lab.clock.pass(0)
    expect(host.neighbours).toHaveLength(before)
    expect(await pc.run('show ipv6')).toContain('ROUTER LINK-LAYER :\n')
  })

  const echo = (source: bigint, destination: bigint, to: number) => {
    const payload = writeIcmpv6(
      { type: icmpv6Types.echoRequest, code: 0, rest: [3, 4], payload: Uint8Array.of(1, 2, 3) },
      { family: 'ipv6', source, destination },
    )
    host.send({
      destination: to,
      etherType: 0x86dd,
      payload: writeIpv6({ source, destination, nextHeader: protocols.icmpv6, hopLimit: 64, payload }),
    })
  }

  it('returns an echo request that is not a multicast', async () => {
    await learnHost(peer)
    echo(peer, linkLocal, pcMac)
    echo(peer, ALL_NODES, multicastMac(ALL_NODES))
    await lab.clock.pass(0)
    const replies = host.icmpv6.filter(({ type }) => type === icmpv6Types.echoReply)
    expect(replies).toMatchObject([{ rest: [3, 4], packet: { source: linkLocal, destination: peer } }])
  })

  it('sets MTU and gateway from the advertisement of a router', async () => {
    announce({ mtu: 1400 })
    await lab.clock.pass(0)
    const shown = await pc.run('show ipv6')
    expect(shown).toContain('ROUTER LINK-LAYER : 02:00:00:00:00:01')
    expect(shown).toContain('MTU               : 1400')
    announce({ mtu: 100 })
    await lab.clock.pass(0)
    expect(await pc.run('show ipv6')).toContain('MTU               : 1500')
    announce({ lifetimeSeconds: 0 })
    await lab.clock.pass(0)
    expect(await pc.run('show ipv6')).toContain('ROUTER LINK-LAYER :\n')
    announce({ lifetimeSeconds: 10 })
    await lab.clock.pass(10_001)
    expect(await pc.run('show ipv6')).toContain('ROUTER LINK-LAYER :\n')
  })
})

describe('ip auto', () => {
  const answerSolicitations = () => {
    host.onFrame = () => {
      if (host.neighbours.at(-1)?.kind !== 'router-solicitation') return
      host.onFrame = () => {}
      announce()
    }
  }

  it('forms an address in the network that a router announces', async () => {
    const pc = await lab.pc('PC1')
    answerSolicitations()
    expect(await pc.run('ip auto', 2000)).toBe('PC1 : 2001:db8:1:0:250:79ff:fe66:6800/64 gateway fe80::1\n\nPC1> ')
    expect(await pc.run('show ipv6')).toContain(
      'GLOBAL SCOPE      : 2001:db8:1:0:250:79ff:fe66:6800/64\nGATEWAY           : fe80::1',
    )
    await pc.run('save')
    expect(pc.files.get('startup.vpc')).toBe('set pcname PC1\nip auto\n')
    answerSolicitations()
    expect(await pc.run('ip auto', 2000)).toContain('up to date')
  })

  it('prints what is missing', async () => {
    const pc = await lab.pc('PC1')
    expect(await pc.run('ip auto', 3000)).toBe('No router has answered\n\nPC1> ')
    const running = pc.run('ip auto', 3000)
    announce({
      prefixes: [{ prefix: ip('2001:db8:1::'), prefixLength: 64, onLink: true, autonomous: false, validSeconds: 60 }],
    })
    expect(await running).toContain('announces no network')
    pc.type('ip auto\r')
    await lab.clock.pass(100)
    pc.type('\x03')
    await lab.clock.pass(0)
    expect(lab.clock.timers).toBe(0)
  })
})

describe('the IPv6 commands', () => {
  it('reach a neighbour on the link, by ICMP and UDP', async () => {
    const pc = await lab.pc('PC1')
    await lab.pc('PC2')
    expect(await pc.run('ping fe80::250:79ff:fe66:6801 -c 2 -i 10', 100)).toMatch(
      /^(104 bytes from fe80::250:79ff:fe66:6801 icmp_seq=\d ttl=64 time=\d\.\d{3} ms\n){2}\nPC1> $/,
    )
    expect(await pc.run('ping fe80::250:79ff:fe66:6801 -2 -c 1', 100)).toContain('udp_seq=1')
    expect(await pc.run('trace fe80::250:79ff:fe66:6801', 100)).toContain(
      '(ICMP type:1, code:4, Destination port unreachable)',
    )
    expect(await pc.run('ping fe80::250:79ff:fe66:6801 -l 1500')).toContain('MTU')
    expect(await pc.run('ping fe80::99', 3000)).toContain('host (fe80::99) not reachable')
  })

  it('use the global address and the gateway outside the link', async () => {
    const pc = await lab.pc('PC1', { script: 'ip 2001:db8::1/64 2001:db8::ff\n' })
    await learnHost(ip('2001:db8::ff'), ip('2001:db8::1'))
    await pc.run('ping 2001:db8:ffff::1 -c 1 -w 10', 10)
    const request = host.icmpv6.at(-1)
    expect(request).toMatchObject({
      type: icmpv6Types.echoRequest,
      packet: { source: ip('2001:db8::1'), destination: ip('2001:db8:ffff::1') },
    })
    expect(host.frames.at(-1)?.destination).toBe(routerMac)
  })

  it('print that a router has no route', async () => {
    const pc = await lab.pc('PC1', { script: 'ip 2001:db8::1/64 2001:db8::ff\n' })
    await learnHost(ip('2001:db8::ff'), ip('2001:db8::1'))
    host.onFrame = () => {
      const request = host.icmpv6.at(-1)
      if (request?.type !== icmpv6Types.echoRequest) return
      host.onFrame = () => {}
      const ends = { family: 'ipv6', source: ip('2001:db8::ff'), destination: ip('2001:db8::1') } as const
      const payload = writeIcmpv6(
        { type: icmpv6Types.unreachable, code: 0, rest: [0, 0], payload: writeIpv6(request.packet) },
        ends,
      )
      host.send({
        destination: pcMac,
        etherType: 0x86dd,
        payload: writeIpv6({ ...ends, nextHeader: protocols.icmpv6, hopLimit: 64, payload }),
      })
    }
    expect(await pc.run('ping 2001:db8:ffff::1 -c 1', 1000)).toContain('(ICMP type:1, code:0, No route to destination)')
  })

  it('refuse an address that another host uses', async () => {
    await lab.pc('PC1', { script: 'ip 2001:db8::1\n' })
    const other = await lab.pc('PC2')
    expect(await other.run('ip 2001:db8::1', 2000)).toContain('is used by another host')
    expect(await other.run('show ipv6')).toContain('GLOBAL SCOPE      :\n')
  })
})
