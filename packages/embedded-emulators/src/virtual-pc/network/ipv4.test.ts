import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTestHost, type TestHost } from '../../../tests/network-host.ts'
import { createPcLab, type LabPc, type PcLab } from '../../../tests/pc-lab.ts'
import { parseIpv4 } from '../../addresses/ipv4-address.ts'
import { BROADCAST_MAC } from '../../addresses/mac-address.ts'
import { readUint16, readUint32, writeUint16, writeUint32 } from '../../frames/bytes.ts'
import { icmpTypes, writeIcmp } from '../../frames/icmp.ts'
import { type Ipv4, protocols, readIpv4, writeIpv4 } from '../../frames/ipv4.ts'
import { transportChecksum } from '../../frames/pseudo-header.ts'
import { createReassembly, fragment } from './fragments.ts'

const ip = (text: string): number => parseIpv4(text) ?? 0
const pcMac = 0x005079666800
const own = ip('10.0.0.1')
const peer = ip('10.0.0.7')

let lab: PcLab
let pc: LabPc
let host: TestHost

beforeEach(async () => {
  lab = createPcLab()
  host = createTestHost(lab.wire, 0x020000000007)
  pc = await lab.pc('PC1', { mac: pcMac })
  await pc.run('ip 10.0.0.1/24 10.0.0.254', 1000)
})

const answerArp = () => {
  host.onFrame = () => {
    const last = host.arps.at(-1)
    if (last?.operation !== 'request' || last.targetAddress !== peer) return
    host.onFrame = () => {}
    host.sendArp(
      { operation: 'reply', senderAddress: peer, targetMac: pcMac, targetAddress: last.senderAddress },
      pcMac,
    )
  }
}

/** Makes the machine learn the host, so that it can answer immediately. */
async function learnPeer() {
  host.sendArp({ operation: 'request', senderAddress: peer, targetMac: 0, targetAddress: own })
  await lab.clock.pass(0)
}

describe('a virtual PC that gets an address', () => {
  it('probes the address three times without a sender address, then announces it', () => {
    const requests = host.arps.map(({ senderAddress, targetAddress }) => [senderAddress, targetAddress])
    expect(requests).toEqual([
      [0, own],
      [0, own],
      [0, own],
      [own, own],
    ])
  })

  it.each([
    'reply',
    'request',
  ] as const)('refuses the address when another host claims it by an ARP %s', async (operation) => {
    host.onFrame = () => {
      host.onFrame = () => {}
      host.sendArp(
        { operation, senderAddress: peer, targetMac: 0, targetAddress: peer },
        operation === 'reply' ? pcMac : BROADCAST_MAC,
      )
    }
    expect(await pc.run('ip 10.0.0.7', 2000)).toContain('10.0.0.7 is used by 02:00:00:00:00:07: nothing was changed')
    expect(await pc.run('show ip')).toContain('IP/MASK : 10.0.0.1/24')
  })

  it('defends the address when another host probes for it', async () => {
    host.sendArp({ operation: 'request', senderAddress: 0, targetMac: 0, targetAddress: own })
    await lab.clock.pass(0)
    expect(host.arps.at(-1)).toMatchObject({
      operation: 'reply',
      senderAddress: own,
      senderMac: pcMac,
      targetAddress: 0,
    })
    expect(await pc.run('arp')).toContain('empty')
  })
})

describe('the neighbours of a virtual PC', () => {
  it('receive three requests, one second apart', async () => {
    const before = host.arps.length
    expect(await pc.run('ping 10.0.0.7', 2999)).toBe('')
    await lab.clock.pass(1)
    expect(pc.screen).toMatch(/host \(10\.0\.0\.7\) not reachable\n\nPC1> $/)
    expect(host.arps.slice(before)).toHaveLength(3)
    expect(lab.clock.timers).toBe(0)
  })

  it('expire after two minutes', async () => {
    await learnPeer()
    expect(await pc.run('arp')).toContain('02:00:00:00:00:07  10.0.0.7 expires in 120 seconds')
    await lab.clock.pass(119_000)
    expect(await pc.run('show arp')).toContain('expires in 1 seconds')
    await lab.clock.pass(1000)
    expect(await pc.run('arp')).toContain('empty')
  })

  it('disappear with clear arp', async () => {
    await learnPeer()
    await pc.run('clear arp')
    expect(await pc.run('arp')).toContain('empty')
  })

  it('stay unknown after a request for another host', async () => {
    host.sendArp({ operation: 'request', senderAddress: peer, targetMac: 0, targetAddress: ip('10.0.0.200') })
    await lab.clock.pass(0)
    expect(await pc.run('arp')).toContain('empty')
  })

  it('never exceed 512', async () => {
    for (let number = 0; number < 1000; number += 1) {
      host.sendArp({ operation: 'request', senderAddress: ip('10.0.0.0') + number, targetMac: 0, targetAddress: own })
      await lab.clock.pass(0)
    }
    expect((await pc.run('arp')).match(/expires/g)).toHaveLength(512)
  })

  it('include the gateway for hosts of other networks', async () => {
    const before = host.arps.length
    expect(await pc.run('ping 192.0.2.1 -c 1', 3000)).toContain('host (10.0.0.254) not reachable')
    expect(host.arps[before]?.targetAddress).toBe(ip('10.0.0.254'))
    await pc.run('ip 10.0.0.1/24', 1000)
    expect(await pc.run('ping 192.0.2.1')).toContain('No gateway is set to reach 192.0.2.1')
    await pc.run('clear ip')
    expect(await pc.run('ping 192.0.2.1')).toContain('This PC has no address yet')
  })
})

describe('a virtual PC that receives a packet', () => {
  const echo = (payload: Uint8Array, extra: Partial<Ipv4> = {}) =>
    host.sendIpv4(
      {
        source: peer,
        destination: own,
        protocol: protocols.icmp,
        payload: writeIcmp({ type: icmpTypes.echoRequest, code: 0, rest: [7, 9], payload }),
        ...extra,
      },
      pcMac,
    )

  it('returns the data of an echo request', async () => {
    await learnPeer()
    const payload = Uint8Array.from({ length: 300 }, (_, index) => index & 255)
    echo(payload)
    await lab.clock.pass(0)
    expect(host.icmp.at(-1)).toMatchObject({
      type: 0,
      code: 0,
      rest: [7, 9],
      packet: { source: own, destination: peer },
    })
    expect(host.icmp.at(-1)?.payload).toEqual(payload)
  })

  it('ignores an echo request that is a broadcast, for another host, or damaged', async () => {
    await learnPeer()
    echo(new Uint8Array(8), { destination: ip('10.0.0.255') })
    echo(new Uint8Array(8), { destination: ip('10.0.0.2') })
    host.sendIpv4(
      { source: peer, destination: own, protocol: protocols.icmp, payload: Buffer.from('0800000000010001', 'hex') },
      pcMac,
    )
    host.send({ destination: 0x020000000099, etherType: 0x0800, payload: new Uint8Array(46) })
    await lab.clock.pass(0)
    expect(host.icmp).toEqual([])
  })

  it('reassembles fragments in any order', async () => {
    await learnPeer()
    const whole: Ipv4 = {
      source: peer,
      destination: own,
      protocol: protocols.icmp,
      timeToLive: 64,
      identification: 77,
      dontFragment: false,
      moreFragments: false,
      fragmentOffset: 0,
      payload: writeIcmp({ type: icmpTypes.echoRequest, code: 0, rest: [1, 1], payload: new Uint8Array(4000).fill(5) }),
    }
    for (const piece of [...fragment(whole, 1500)].reverse()) host.sendIpv4(piece, pcMac)
    await lab.clock.pass(0)
    const reassembly = createReassembly()
    const answers = host.ipv4.map((piece) => reassembly.add(piece)).filter((packet) => packet !== undefined)
    expect(answers.at(-1)?.payload.length).toBe(whole.payload.length)
    expect(host.ipv4.every((piece) => piece.payload.length <= 1480)).toBe(true)
  })

  it('refuses a packet to a closed port, and quotes its beginning', async () => {
    await learnPeer()
    host.sendUdp({ sourcePort: 1000, destinationPort: 2000, payload: new Uint8Array(20) }, peer, own, pcMac)
    await lab.clock.pass(0)
    const refusal = host.icmp.at(-1)
    expect(refusal).toMatchObject({ type: 3, code: 3, packet: { destination: peer } })
    expect(readUint32(refusal?.payload ?? new Uint8Array(0), 12)).toBe(peer)
    expect(readUint16(refusal?.payload ?? new Uint8Array(0), 22)).toBe(2000)
    expect(refusal?.payload).toHaveLength(28)
  })

  it('refuses an unknown protocol, unless the packet is a broadcast', async () => {
    await learnPeer()
    host.sendIpv4({ source: peer, destination: own, protocol: 89, payload: new Uint8Array(8) }, pcMac)
    host.sendIpv4(
      { source: peer, destination: ip('10.0.0.255'), protocol: 89, payload: new Uint8Array(8) },
      BROADCAST_MAC,
    )
    host.sendUdp(
      { sourcePort: 1, destinationPort: 2, payload: new Uint8Array(0) },
      peer,
      ip('255.255.255.255'),
      BROADCAST_MAC,
    )
    await lab.clock.pass(0)
    expect(host.icmp.map(({ type, code }) => [type, code])).toEqual([[3, 2]])
  })

  it('returns a packet to the echo port, unless it comes from an echo port', async () => {
    await learnPeer()
    const payload = Uint8Array.of(1, 2, 3)
    host.sendUdp({ sourcePort: 1000, destinationPort: 7, payload }, peer, own, pcMac)
    host.sendUdp({ sourcePort: 7, destinationPort: 7, payload }, peer, own, pcMac)
    await lab.clock.pass(0)
    expect(
      host.udp.map(({ sourcePort, destinationPort, payload: data }) => [sourcePort, destinationPort, [...data]]),
    ).toEqual([[7, 1000, [1, 2, 3]]])
  })

  it('resets a TCP connection', async () => {
    await learnPeer()
    const segment = new Uint8Array(20)
    writeUint16(segment, 0, 5000)
    writeUint16(segment, 2, 80)
    writeUint32(segment, 4, 0xffffffff)
    segment.set([0x50, 0x02], 12)
    writeUint16(
      segment,
      16,
      transportChecksum({ family: 'ipv4', source: peer, destination: own }, protocols.tcp, segment),
    )
    host.sendIpv4({ source: peer, destination: own, protocol: protocols.tcp, payload: segment }, pcMac)
    await lab.clock.pass(0)
    const answer = host.ipv4.at(-1)
    expect(answer?.protocol).toBe(protocols.tcp)
    const reset = answer?.payload ?? new Uint8Array(0)
    expect([readUint16(reset, 0), readUint16(reset, 2), readUint32(reset, 8), reset[13]]).toEqual([80, 5000, 0, 0x14])
    expect(transportChecksum({ family: 'ipv4', source: own, destination: peer }, protocols.tcp, reset)).toBe(0)
    host.sendIpv4({ source: peer, destination: own, protocol: protocols.tcp, payload: reset }, pcMac)
    await lab.clock.pass(0)
    expect(host.ipv4).toHaveLength(1)
  })

  it('never fails, regardless of the bytes', () => {
    const kinds = fc.constantFrom(0x0800, 0x0806, 0x86dd)
    fc.assert(
      fc.property(kinds, fc.uint8Array({ maxLength: 200 }), (etherType, payload) => {
        host.send({ destination: pcMac, etherType, payload })
      }),
    )
  })
})

describe('fragments', () => {
  const packets = fc.record({
    payload: fc.uint8Array({ minLength: 1, maxLength: 6000 }),
    mtu: fc.integer({ min: 576, max: 1500 }),
    seed: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  })

  it('fit the MTU, and are reassembled in any order and with duplicates', () => {
    fc.assert(
      fc.property(packets, ({ payload, mtu, seed }) => {
        const whole: Ipv4 = {
          source: 1,
          destination: 2,
          protocol: 17,
          timeToLive: 9,
          identification: 3,
          dontFragment: false,
          moreFragments: false,
          fragmentOffset: 0,
          payload,
        }
        const pieces = fragment(whole, mtu)
        expect(pieces.every((piece) => writeIpv4(piece).length <= mtu)).toBe(true)
        const shuffled = pieces
          .flatMap((piece, index) => [
            { piece, order: seed[index % 12] ?? 0 },
            { piece, order: seed[(index + 5) % 12] ?? 0 },
          ])
          .sort((one, other) => one.order - other.order)
        const reassembly = createReassembly()
        const results = shuffled.map(({ piece }) => {
          const onWire = readIpv4(writeIpv4(piece))
          return onWire && reassembly.add(onWire)
        })
        const complete = results.find((result) => result !== undefined)
        expect(
          createHash('sha1')
            .update(complete?.payload ?? '')
            .digest('hex'),
        ).toBe(createHash('sha1').update(payload).digest('hex'))
      }),
    )
  })

  it('wait for at most 16 packets', () => {
    const reassembly = createReassembly()
    const piece: Ipv4 = {
      source: 1,
      destination: 2,
      protocol: 17,
      timeToLive: 9,
      identification: 0,
      dontFragment: false,
      moreFragments: true,
      fragmentOffset: 0,
      payload: new Uint8Array(8),
    }
    for (let identification = 0; identification < 17; identification += 1) reassembly.add({ ...piece, identification })
    const last = { ...piece, moreFragments: false, fragmentOffset: 8 }
    expect(reassembly.add({ ...last, identification: 0 })).toBeUndefined()
    expect(reassembly.add({ ...last, identification: 16 })?.payload).toHaveLength(16)
  })
})

describe('ping', () => {
  it('prints each timeout', async () => {
    answerArp()
    const lines = pc.run('ping 10.0.0.7 -c 2 -w 500 -i 700', 5000)
    expect(await lines).toBe('10.0.0.7 icmp_seq=1 timeout\n10.0.0.7 icmp_seq=2 timeout\n\nPC1> ')
    expect(host.icmp.map(({ rest }) => rest[1])).toEqual([1, 2])
    expect(host.icmp[0]?.payload).toHaveLength(56)
  })

  it('sends five packets, one second apart, by default', async () => {
    await lab.pc('PC2')
    const other = await lab.pc('PC3', { script: 'ip 10.0.0.3/24\n' })
    expect(other.screen).toContain('10.0.0.3 255.255.255.0')
    const begin = lab.clock.now()
    const output = await pc.run('ping 10.0.0.3', 3999)
    expect(output.match(/84 bytes from 10\.0\.0\.3 icmp_seq=\d ttl=64 time=\d+\.\d{3} ms\n/g)).toHaveLength(4)
    expect(await pc.run('', 1)).toMatch(/icmp_seq=5 .*\n\nPC1> /)
    expect(lab.clock.now() - begin).toBe(4000)
  })

  it('continues until Ctrl-C with -t', async () => {
    await lab.pc('PC3', { script: 'ip 10.0.0.3/24\n' })
    pc.type('ping 10.0.0.3 -t\r')
    await lab.clock.pass(20_500)
    pc.type('\x03')
    await lab.clock.pass(0)
    expect(pc.screen).toMatch(/icmp_seq=21 .*\n\^C\n\nPC1> $/)
  })

  it('prints which host refused the packet and why', async () => {
    await learnPeer()
    host.onFrame = () => {
      const request = host.icmp.at(-1)
      if (request?.type !== icmpTypes.echoRequest) return
      host.onFrame = () => {}
      const quotation = writeIpv4(request.packet).subarray(0, 28)
      const payload = writeIcmp({ type: icmpTypes.unreachable, code: 1, rest: [0, 0], payload: quotation })
      host.sendIpv4({ source: peer, destination: own, protocol: protocols.icmp, payload, timeToLive: 63 }, pcMac)
    }
    expect(await pc.run('ping 10.0.0.7 -c 1', 1000)).toMatch(
      /^\*10\.0\.0\.7 icmp_seq=1 ttl=63 time=\d+\.\d+ ms \(ICMP type:3, code:1, Destination host unreachable\)\n/,
    )
  })

  it('answers for its own address without sending a packet', async () => {
    const before = lab.wire.frames.length
    expect(await pc.run('ping 10.0.0.1 -c 1')).toContain('84 bytes from 10.0.0.1 icmp_seq=1 ttl=64')
    expect(lab.wire.frames).toHaveLength(before)
  })

  it('sets size, time to live, fragmentation and ports', async () => {
    await learnPeer()
    await pc.run('ping 10.0.0.7 -c 1 -l 100 -T 9 -w 10', 10)
    expect(host.icmp.at(-1)).toMatchObject({ packet: { timeToLive: 9, dontFragment: false } })
    expect(host.icmp.at(-1)?.payload).toHaveLength(100)
    await pc.run('ping 10.0.0.7 -c 1 -s 33 -D -w 10', 10)
    expect(host.icmp.at(-1)).toMatchObject({ packet: { dontFragment: true } })
    expect(host.icmp.at(-1)?.payload).toHaveLength(33)
    await pc.run('ping 10.0.0.7 -c 1 -P 17 -p 99 -s 4444 -w 10', 10)
    expect(host.udp.at(-1)).toMatchObject({ sourcePort: 4444, destinationPort: 99 })
    expect(await pc.run('ping 10.0.0.7 -D -l 1473')).toContain('does not fit into the MTU of 1500 bytes')
    expect(await pc.run('ip mtu 9001')).toContain('Usage: ip mtu <576 to 9000>')
    await pc.run('ip mtu 9000')
    await pc.run('ping 10.0.0.7 -c 1 -D -l 8972 -w 10', 10)
    expect(host.icmp.at(-1)?.payload).toHaveLength(8972)
    expect(await pc.run('ping 10.0.0.7 -D -l 8973')).toContain('does not fit into the MTU of 9000 bytes')
  })

  it.each([
    'ping',
    'ping 10.0.0.7 x',
    'ping 10.0.0.7 -c',
    'ping 10.0.0.7 -c 0',
    'ping 10.0.0.7 -c x',
    'ping 10.0.0.7 -z',
    'ping 10.0.0.999',
    'ping 10.0.0.7 -3',
    'ping 10.0.0.7 -P 99',
    'ping 10.0.0.7 -l 65001',
  ])('prints what is wrong with: %s', async (line) => {
    const before = lab.wire.frames.length
    expect(await pc.run(line)).toMatch(/Usage|option|Option|Invalid|Only/)
    expect(lab.wire.frames).toHaveLength(before)
  })
})

describe('trace', () => {
  it('prints every router on the way, and the destination', async () => {
    answerArp()
    const router = ip('10.0.0.254')
    host.sendArp({ operation: 'request', senderAddress: router, targetMac: 0, targetAddress: own })
    await lab.clock.pass(0)
    host.onFrame = () => {
      const probe = host.udp.at(-1)
      if (probe === undefined || probe.packet.destination !== ip('192.0.2.1')) return
      const quotation = writeIpv4(probe.packet).subarray(0, 28)
      const hop = probe.packet.timeToLive
      if (hop === 2) return
      const refusal = hop < 3 ? { type: icmpTypes.timeExceeded, code: 0 } : { type: icmpTypes.unreachable, code: 3 }
      const source = hop < 3 ? router : ip('192.0.2.1')
      const payload = writeIcmp({ ...refusal, rest: [0, 0], payload: quotation })
      host.sendIpv4({ source, destination: own, protocol: protocols.icmp, payload }, pcMac)
    }
    const output = await pc.run('trace 192.0.2.1', 10_000)
    expect(output).toMatch(
      /^trace to 192\.0\.2\.1, 8 hops max, press Ctrl\+C to stop\n 1 {3}10\.0\.0\.254( {3}\d+\.\d{3} ms){3}\n 2 {3}\* \* \*\n 3 {3}\*192\.0\.2\.1 {3}\d+\.\d{3} ms \(ICMP type:3, code:3, Destination port unreachable\)\n\nPC1> $/,
    )
  })

  it('stops at the given number of hops and at Ctrl-C', async () => {
    await learnPeer()
    expect(await pc.run('trace 10.0.0.7 -m 1 -w 100', 300)).toMatch(/1 hops max[\s\S]* 1 {3}\* \* \*\n\nPC1> $/)
    expect(await pc.run('trace 10.0.0.7 2 -P 1 -w 100', 600)).toMatch(/2 hops max/)
    pc.type('trace 10.0.0.7\r')
    await lab.clock.pass(1500)
    pc.type('\x03')
    await lab.clock.pass(0)
    expect(pc.screen).toMatch(/\n\nPC1> $/)
    expect(lab.clock.timers).toBe(0)
  })
})
