import { beforeEach, describe, expect, it } from 'vitest'
import { createTestHost, type TestHost } from '../../../tests/network-host.ts'
import { createPcLab, type LabPc, type PcLab } from '../../../tests/pc-lab.ts'
import { serveDhcp, serveDns, type TestDhcpServer } from '../../../tests/test-servers.ts'
import { parseIpv4 } from '../../addresses/ipv4-address.ts'
import { dhcpTypes } from '../../frames/dhcp.ts'
import { etherTypes } from '../../frames/ethernet.ts'

const ip = (text: string): number => parseIpv4(text) ?? 0
const serverAddress = ip('10.0.0.254')
const given = ip('10.0.0.50')
const pcMac = 0x005079666800

let lab: PcLab
let pc: LabPc
let host: TestHost

beforeEach(async () => {
  lab = createPcLab()
  host = createTestHost(lab.wire, 0x020000000007)
  pc = await lab.pc('PC1', { mac: pcMac })
})

describe('DHCP', () => {
  let server: TestDhcpServer
  beforeEach(() => {
    server = serveDhcp(host, serverAddress, given, {
      mask: ip('255.255.255.128'),
      router: serverAddress,
      dnsServers: [ip('10.0.0.53')],
      domainName: 'lab.test',
      leaseSeconds: 1000,
    })
  })

  const learnServer = async () => {
    host.sendArp({ operation: 'request', senderAddress: serverAddress, targetMac: 0, targetAddress: given })
    await lab.clock.pass(0)
  }

  it('sets address, mask, gateway, DNS and domain', async () => {
    expect(await pc.run('dhcp', 2000)).toBe('DORA IP 10.0.0.50/25 GW 10.0.0.254\n\nPC1> ')
    expect(server.requests.map(({ type }) => type)).toEqual([dhcpTypes.discover, dhcpTypes.request])
    expect(server.requests[0]).toMatchObject({ clientMac: pcMac, hostName: 'PC1', broadcast: true })
    expect(server.requests[1]).toMatchObject({ requestedAddress: given, serverAddress })
    const shown = await pc.run('show ip')
    for (const line of [
      'IP/MASK     : 10.0.0.50/25',
      'GATEWAY     : 10.0.0.254',
      'DNS         : 10.0.0.53',
      'DOMAIN NAME : lab.test',
      'DHCP SERVER : 10.0.0.254',
      'DHCP LEASE  : 1000, renewed after 500',
    ]) {
      expect(shown).toContain(line)
    }
  })

  it('stops after three attempts', async () => {
    server.answers = { [dhcpTypes.discover]: 'nothing' }
    expect(await pc.run('ip dhcp', 3000)).toBe("DDD\nCan't find dhcp server\n\nPC1> ")
    expect(lab.clock.timers).toBe(0)
  })

  it('stops at Ctrl-C', async () => {
    server.answers = { [dhcpTypes.discover]: 'nothing' }
    pc.type('dhcp\r')
    await lab.clock.pass(1500)
    pc.type('\x03')
    await lab.clock.pass(0)
    expect(pc.screen).toMatch(/DD\^C\n\nPC1> $/)
    expect(lab.clock.timers).toBe(0)
  })

  it('prints its messages with -d', async () => {
    const output = await pc.run('dhcp -d', 2000)
    for (const name of ['> DHCP DISCOVER', '< DHCP OFFER', '> DHCP REQUEST', '< DHCP ACKNOWLEDGE'])
      expect(output).toContain(name)
    expect(output).toContain('  your address: 10.0.0.50')
  })

  it('stays without an address when the server refuses', async () => {
    server.answers = { [dhcpTypes.request]: { type: dhcpTypes.refuse } }
    expect(await pc.run('dhcp', 2000)).toContain('DORN The server refused')
    expect(await pc.run('show ip')).toContain('0.0.0.0/0')
  })

  it('declines an address that another host uses', async () => {
    await lab.pc('PC2', { script: 'ip 10.0.0.50/25\n' })
    expect(await pc.run('dhcp', 2000)).toContain('10.0.0.50 is used by another host: it was declined')
    expect(server.requests.at(-1)).toMatchObject({ type: dhcpTypes.decline, requestedAddress: given, serverAddress })
  })

  it('ignores answers to other clients, and refuses an invalid address', async () => {
    server.answers = { [dhcpTypes.discover]: { clientMac: 0x020000000001 } }
    expect(await pc.run('dhcp', 3000)).toContain("Can't find")
    server.answers = { [dhcpTypes.discover]: { transaction: 1 } }
    expect(await pc.run('dhcp', 3000)).toContain("Can't find")
    server.answers = { [dhcpTypes.request]: { yourAddress: ip('127.0.0.1') } }
    expect(await pc.run('dhcp', 3000)).toContain('refused')
  })

  it('renews by itself after half of the lease, with one timer', async () => {
    await pc.run('dhcp', 2000)
    expect(lab.clock.timers).toBe(1)
    await learnServer()
    await lab.clock.pass(498_000)
    await learnServer()
    expect(server.requests).toHaveLength(2)
    await lab.clock.pass(3000)
    expect(server.requests.at(-1)).toMatchObject({ type: dhcpTypes.request, clientAddress: given })
    expect(server.requests).toHaveLength(3)
    expect(lab.clock.timers).toBe(1)
  })

  it('keeps the address while the server does not answer, until the lease expires', async () => {
    await pc.run('dhcp', 2000)
    server.answers = { [dhcpTypes.request]: 'nothing' }
    await lab.clock.pass(990_000)
    expect(await pc.run('show ip')).toContain('10.0.0.50/25')
    await lab.clock.pass(70_000)
    expect(await pc.run('show ip')).toContain('0.0.0.0/0')
    expect(lab.clock.timers).toBe(0)
  })

  it('renews with -r and releases with -x', async () => {
    expect(await pc.run('dhcp -x')).toContain('no lease')
    await pc.run('dhcp -r', 2000)
    await learnServer()
    expect(await pc.run('dhcp -r', 2000)).toContain('RA IP 10.0.0.50/25')
    await learnServer()
    expect(await pc.run('dhcp -x', 10)).toContain('released')
    expect(server.requests.at(-1)).toMatchObject({ type: dhcpTypes.release, clientAddress: given })
    expect(await pc.run('show ip')).toContain('0.0.0.0/0')
    expect(lab.clock.timers).toBe(0)
  })

  it('releases to a server that must be resolved on the link first', async () => {
    await pc.run('dhcp', 2000)
    const serve = host.onFrame
    host.onFrame = (frame) => {
      serve(frame)
      const last = frame.etherType === etherTypes.arp ? host.arps.at(-1) : undefined
      if (last?.targetAddress !== serverAddress) return
      const answer = { senderAddress: serverAddress, targetMac: pcMac, targetAddress: given }
      host.sendArp({ operation: 'reply', ...answer }, pcMac)
    }
    expect(await pc.run('dhcp -x', 10)).toContain('released')
    expect(server.requests.at(-1)).toMatchObject({ type: dhcpTypes.release, clientAddress: given })
    expect(await pc.run('show ip')).toContain('0.0.0.0/0')
  })

  it('releases without an answer of the server, unless it is interrupted', async () => {
    await pc.run('dhcp', 2000)
    pc.type('dhcp -x\r')
    await lab.clock.pass(500)
    pc.type('\x03')
    await lab.clock.pass(0)
    expect(await pc.run('show ip')).toContain('10.0.0.50/25')
    expect(await pc.run('dhcp -x', 3000)).toContain('released')
    expect(await pc.run('show ip')).toContain('0.0.0.0/0')
    expect(lab.clock.timers).toBe(0)
  })

  it.each([
    ['lab.test\0', 'set pcname PC1\nip dns 10.0.0.53\nip domain lab.test\n'],
    ['lab.test\nquit', 'set pcname PC1\nip dns 10.0.0.53\n'],
    ['', 'set pcname PC1\nip dns 10.0.0.53\n'],
  ])('accepts a domain only when it is a valid name: %j', async (domainName, saved) => {
    server.answers = { [dhcpTypes.request]: { domainName } }
    await pc.run('dhcp', 2000)
    await pc.run('dhcp -x', 3000)
    await pc.run('save')
    expect(pc.files.get('startup.vpc')).toBe(saved)
  })

  it('ends its lease when an address is set by hand', async () => {
    await pc.run('dhcp', 2000)
    await pc.run('ip 10.0.0.9/24', 2000)
    expect(lab.clock.timers).toBe(0)
    expect(await pc.run('save')).toContain('Saved')
    expect(pc.files.get('startup.vpc')).toContain('ip 10.0.0.9/24')
  })

  it('saves the command ip dhcp while there is a lease', async () => {
    await pc.run('dhcp', 2000)
    await pc.run('save')
    expect(pc.files.get('startup.vpc')).toBe('set pcname PC1\nip dhcp\n')
  })

  it('stops its timer when the machine stops', async () => {
    await pc.run('dhcp', 2000)
    pc.pc.stop()
    expect(lab.clock.timers).toBe(0)
  })
})

describe('the resolution of names', () => {
  const dns = ip('10.0.0.53')
  beforeEach(async () => {
    await pc.run('ip 10.0.0.1/24', 1000)
    host.sendArp({ operation: 'request', senderAddress: dns, targetMac: 0, targetAddress: ip('10.0.0.1') })
    await lab.clock.pass(0)
  })

  it('queries the server, and appends the domain to short names', async () => {
    serveDns(host, dns, { 1: Buffer.of(10, 0, 0, 77) })
    expect(await pc.run('ip dns 10.0.0.53')).toBe('DNS 10.0.0.53\n\nPC1> ')
    await pc.run('ip domain lab.test')
    expect(await pc.run('ping www -c 1', 4000)).toContain('host (10.0.0.77) not reachable')
    const query = host.udp.find(({ destinationPort }) => destinationPort === 53)
    expect(Buffer.from(query?.payload ?? []).toString('latin1')).toContain('\x03www\x03lab\x04test\0')
  })

  it('returns an IPv6 address for a name without an IPv4 address', async () => {
    serveDns(host, dns, { 28: Buffer.from('20010db8000000000000000000000001', 'hex') })
    await pc.run('ip dns 10.0.0.53')
    expect(await pc.run('ping www.lab.test', 4000)).toContain('No gateway is set to reach 2001:db8::1')
  })

  it('queries twice for each family, until Ctrl-C', async () => {
    await pc.run('ip dns 10.0.0.53')
    expect(await pc.run('ping www', 4000)).toContain('Cannot resolve www')
    expect(host.udp.filter(({ destinationPort }) => destinationPort === 53)).toHaveLength(4)
    pc.type('ping www\r')
    await lab.clock.pass(500)
    pc.type('\x03')
    await lab.clock.pass(0)
    expect(pc.screen).toMatch(/\^C\n\nPC1> $/)
    expect(lab.clock.timers).toBe(0)
  })

  it('fails without a server and for an invalid name', async () => {
    expect(await pc.run('ping www')).toContain('no DNS server is set')
    expect(await pc.run('ip dns x')).toContain('Usage')
    await pc.run('ip dns 10.0.0.53')
    expect(await pc.run('ping -c 1 a..b')).toContain('Cannot resolve a..b')
    await pc.run('ip dns 0')
    expect(await pc.run('ping www')).toContain('no DNS server is set')
  })
})
