import { describe, expect, it } from 'vitest'
import { createPcLab } from '../../../tests/pc-lab.ts'
import { formatIp } from '../../addresses/ip-address.ts'
import { parseAddress } from './parse-address.ts'
import { parseOptions } from './parse-options.ts'

describe('ip', () => {
  const parse = (line: string): string => {
    const parsed = parseAddress(line.split(' '), 0x005079666800)
    if (parsed.type === 'wrong') return parsed.message
    const { address, prefixLength, gateway } = parsed.config
    return `${formatIp(address)}/${prefixLength}${gateway === undefined ? '' : ` ${formatIp(gateway)}`}`
  }

  it.each([
    ['10.0.0.1', '10.0.0.1/24'],
    ['10.0.0.1/8', '10.0.0.1/8'],
    ['10.0.0.1/255.255.0.0', '10.0.0.1/16'],
    ['10.0.0.1 255.255.255.0', '10.0.0.1/24'],
    ['10.0.0.1 255.255.255.0 10.0.0.254', '10.0.0.1/24 10.0.0.254'],
    ['10.0.0.1/24 10.0.0.254', '10.0.0.1/24 10.0.0.254'],
    ['10.0.0.1 10.0.0.254', '10.0.0.1/24 10.0.0.254'],
    ['10.1.1.70 /26 10.1.1.65', '10.1.1.70/26 10.1.1.65'],
    ['10.1.1.70 10.1.1.65 26', '10.1.1.70/26 10.1.1.65'],
    ['10.1.1.70 26', '10.1.1.70/26'],
    ['10.0.0.0/31', '10.0.0.0/31'],
    ['10.0.0.1/32', '10.0.0.1/32'],
    ['2001:db8::1', '2001:db8::1/64'],
    ['2001:db8::1/48 2001:db8::ff', '2001:db8::1/48 2001:db8::ff'],
    ['2001:db8::1 fe80::1', '2001:db8::1/64 fe80::1'],
    ['2001:db8:: eui-64', '2001:db8::250:79ff:fe66:6800/64'],
    ['2001:db8::1 /127', '2001:db8::1/127'],
  ])('accepts the address %s', (line, expected) => expect(parse(line)).toBe(expected))

  it.each([
    '10.0.0.256',
    '10.0.0',
    'x',
    '',
    '10.0.0.0/24',
    '10.0.0.255/24',
    '127.0.0.1',
    '224.0.0.1',
    '0.0.0.1',
    '10.0.0.1/33',
    '10.0.0.1/0',
    '10.0.0.1 10.0.1.1',
    '10.0.0.1 10.0.0.1',
    '10.0.0.1/24 x',
    '10.0.0.1 10.0.0.2 10.0.0.3',
    '10.0.0.1/24 10.0.0.2 24',
    '10.0.0.1/255.0.255.0',
    'fe80::1',
    'ff02::1',
    '::1',
    '::',
    '2001:db8::1/129',
    '2001:db8::1/0',
    '2001:db8::1 x',
    '2001:db8::1 2001:db8:1::1',
    '2001:db8::1 2001:db8::1',
    '2001:db8::g',
  ])('refuses the address %s', (line) => expect(parse(line)).toMatch(/Invalid|gateway|Usage/))

  it('prints its usage for invalid arguments', async () => {
    const { run } = await createPcLab().pc('PC1')
    expect(await run('ip')).toContain('Usage: ip')
    expect(await run('ip mtu 575')).toContain('Usage: ip mtu')
    expect(await run('ip mtu 9001')).toContain('Usage: ip mtu')
    expect(await run('ip domain bad..name')).toContain('Usage: ip domain')
    expect(await run('ip dhcp now')).toContain('Usage: dhcp')
    expect(await run('dhcp -z')).toContain('no option -z')
  })
})

describe('parseOptions', () => {
  const numbers = { c: { least: 1, most: 9 } }

  it('accepts options with or without a space before their number, at any position', () => {
    for (const line of ['host -c 5 -t', '-c5 -t host', '-t host -c5']) {
      const parsed = parseOptions(line.split(' '), numbers, ['t'])
      expect(parsed.type === 'parsed' && [parsed.values.get('c'), parsed.flags.has('t'), parsed.rest]).toEqual([
        5,
        true,
        ['host'],
      ])
    }
  })

  it('refuses options that are unknown, out of bounds or without a number', () => {
    for (const line of ['-x', '-c 0', '-c 10', '-c x', '-c', '-c -1', '-tt', '-c 1e1', '-constructor']) {
      expect(parseOptions(line.split(' '), numbers, ['t']).type).toBe('wrong')
    }
  })
})

describe('show, set and clear', () => {
  it('print their usage for unknown arguments', async () => {
    const { run } = await createPcLab().pc('PC1')
    for (const line of [
      'show x',
      'show ip x',
      'show toString',
      'set',
      'set x',
      'set constructor',
      'clear',
      'clear x',
      'clear ip x',
      'set echo',
      'sleep x',
      'save a b',
      'load a b',
    ]) {
      expect(await run(line)).toMatch(/Usage|Unknown argument/)
    }
    expect(await run('set rhost 1.2.3.4')).toContain('The server cables this machine')
    expect(await run('disconnect')).toContain('Close the terminal')
    expect(await run('show echo')).toContain('not printed')
  })

  it('print everything for show all', async () => {
    const { run } = await createPcLab().pc('PC1')
    const output = await run('show all')
    for (const part of ['IP/MASK', 'LINK-LOCAL SCOPE', 'The arp table is empty', 'GATEWAY'])
      expect(output).toContain(part)
    expect(await run('show ip all')).toBe(await run('show'))
    expect(await run('version')).toContain('virtual PC')
  })

  it('clear one setting or all', async () => {
    const { run } = await createPcLab().pc('PC1', { script: 'ip 10.0.0.1/24\nip dns 10.0.0.2\nip 2001:db8::1\n' })
    await run('clear ipv6')
    expect(await run('show')).not.toContain('2001:db8::1')
    expect(await run('show')).toContain('10.0.0.1/24')
    await run('clear all')
    expect(await run('show')).toContain('0.0.0.0/0')
    expect(await run('show')).not.toContain('10.0.0.2')
  })
})
