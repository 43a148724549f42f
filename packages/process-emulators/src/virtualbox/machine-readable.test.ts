import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseApiVersion, parseMachineList, parseMachineReadable } from './machine-readable.ts'
import { adapterLimit, attachParameters, requireAdapters } from './network-adapters.ts'
import { networkCard } from './network-card.ts'

it('parseMachineReadable reads values with and without quotes, and ignores other lines', () => {
  const output = [
    'name="Desktop \\"one\\""',
    'VMState="running"',
    'memory=512',
    'nic1="generic"',
    '"Some key"="x=y"',
    'SnapshotName-1="GNS3 Linked Base for clones"',
    'broken="half',
    'no value',
    '="x"',
    '',
  ].join('\r\n')
  expect(Object.fromEntries(parseMachineReadable(output))).toEqual({
    name: 'Desktop \\"one\\"',
    VMState: 'running',
    memory: '512',
    nic1: 'generic',
    'Some key': 'x=y',
    'SnapshotName-1': 'GNS3 Linked Base for clones',
  })
})

it('parseMachineList returns the machines that are accessible', () => {
  const uuid = '6f2a3f0e-52f4-4d0c-9f9b-1d0a5f3c8a11'
  const output = `"One {x}" {${uuid}}\n"<inaccessible>" {${uuid}}\nWARNING: something\n"Bad" {zz}\n`
  expect(parseMachineList(output)).toEqual([{ name: 'One {x}', uuid }])
})

it('parseApiVersion returns the version as a number', () => {
  expect(parseApiVersion('API version:                     7_0\nMinimum guest RAM size: 4')).toBe(700)
  expect(parseApiVersion('API version:  4_2')).toBe(402)
  expect(parseApiVersion('nothing')).toBeUndefined()
})

it('the parsers read any text without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab"={}-\n\r <>') }), (text) => {
      for (const { name } of parseMachineList(text)) expect(name).not.toBe('<inaccessible>')
      for (const [key] of parseMachineReadable(text)) expect(key).not.toBe('')
    }),
  )
})

it('attachParameters returns the recorded options in their order', () => {
  const link = { adapter: 0, card: '82540EM', localPort: 10_001, remotePort: 10_000, cableConnected: true }
  expect(attachParameters(link).join(' ')).toBe(
    '--nictrace1 off --nictype1 82540EM --nic1 generic --nicgenericdrv1 UDPTunnel --nicproperty1 sport=10001 --nicproperty1 dest=127.0.0.1 --nicproperty1 dport=10000 --cableconnected1 on',
  )
})

it('requireAdapters accepts adapters that are free or attached by this package, or any on request', () => {
  const check = (information: Readonly<Record<string, string>>, useAnyAdapter = false, adapters = 2) =>
    requireAdapters(new Map(Object.entries(information)), { adapters, useAnyAdapter })
  check({ nic1: 'none', nic2: 'null' })
  check({ nic1: 'generic', genericdrv1: 'UDPTunnel' })
  check({ nic1: 'nat' }, true)
  check({ nic3: 'nat' })
  expect(() => check({ nic2: 'nat' })).toThrow('Attachment (nat) already configured on adapter 2')
  expect(() => check({ nic1: 'generic', genericdrv1: 'VDE' })).toThrow('already configured')
  expect(() => check({ chipset: 'piix3' }, true, 9)).toThrow("can't have more than 8 adapters")
  check({ chipset: 'ich9' }, true, 36)
  expect(adapterLimit(new Map())).toBe(8)
})

it('networkCard maps the names that clients use', () => {
  expect(networkCard('Paravirtualized Network (virtio-net)')).toBe('virtio')
  expect(() => networkCard('82540EM --nic1 bridged')).toThrow(expect.objectContaining({ reason: 'not-allowed' }))
})
