import { expect, it } from 'vitest'
import { consoleAddress } from './console-address.ts'

it.each([
  ['telnet', 'telnet lab.test 2001'],
  ['vnc', 'vnc lab.test:2001'],
  ['spice', 'spice 127.0.0.1:2001'],
  ['spice+agent', 'spice 127.0.0.1:2001'],
  ['none', ''],
] as const)('returns the address of a console of type %s as %j', (type, address) => {
  expect(consoleAddress(type, 'lab.test', 2001)).toBe(address)
})
