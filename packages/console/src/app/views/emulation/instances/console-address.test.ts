import { expect, it } from 'vitest'
import { consoleAddress } from './console-address.ts'

it.each([
  ['telnet', 'telnet lab.test 2001'],
  ['vnc', 'vnc lab.test:2001'],
  ['spice', 'spice lab.test:2001'],
  ['spice+agent', 'spice lab.test:2001'],
  ['none', ''],
] as const)('returns the address of a console of type %s as %j', (type, address) => {
  expect(consoleAddress(type, 'lab.test', 2001)).toBe(address)
})
