import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseApiVersion, parseMachineList, parseMachineReadable } from './machine-readable.ts'
import { attachParameters, mostAdapters, requireAdapters } from './network-adapters.ts'
import { networkCard } from './network-card.ts'

it('reads values, quoted or not, and leaves the rest out', () => {
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

it('lists machines that can be opened', () => {
  const uuid = '6f2a3f0e-52f4-4d0c-9f9b-1d0a5f3c8a11'
  const output = `"One {x}" {${uuid}}\n"<inaccessible>" {${uuid}}\nWARNING: something\n"Bad" {zz}\n`
  expect(parseMachineList(output)).toEqual([{ name: 'One {x}', uuid }])
})

it('reads the version of the API', () => {
  expect(parseApiVersion('API version:                     7_0\nMinimum guest RAM size: 4')).toBe(700)
  expect(parseApiVersion('API version:  4_2')).toBe(402)
  expect(parseApiVersion('nothing')).toBeUndefined()
})

it('reads any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab"={}-\n\r <>') }), (text) => {
      for (const { name } of parseMachineList(text)) expect(name).not.toBe('<inaccessible>')
      for (const [key] of parseMachineReadable(text)) expect(key).not.toBe('')
    }),
  )
})

it('puts an adapter on its link with the recorded options, in their order', () => {
  const link = { adapter: 0, card: '82540EM', localPort: 10_001, remotePort: 10_000, cableConnected: true }
  expect(attachParameters(link).join(' ')).toBe(
    '--nictrace1 off --nictype1 82540EM --nic1 generic --nicgenericdrv1 UDPTunnel --nicproperty1 sport=10001 --nicproperty1 dest=127.0.0.1 --nicproperty1 dport=10000 --cableconnected1 on',
  )
})

it('takes adapters that are free, its own, or any where that is asked for', () => {
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
  expect(mostAdapters(new Map())).toBe(8)
})

it('knows the cards by the names that clients use', () => {
  expect(networkCard('Paravirtualized Network (virtio-net)')).toBe('virtio')
  expect(() => networkCard('82540EM --nic1 bridged')).toThrow(expect.objectContaining({ reason: 'not-allowed' }))
})
