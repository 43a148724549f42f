import { expect, it } from 'vitest'
import { sourceOf } from './source-of.ts'

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
  ['unix:'.repeat(100), expect.any(String)],
])('sourceOf returns for %s the source %s', (address, expected) => {
  expect(sourceOf(address)).toEqual(expected)
  expect(sourceOf(address).length).toBeLessThanOrEqual(64 + '::/64'.length)
})
