import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { formatMac } from '../addresses/mac-address.ts'
import { defaultMac } from './default-mac.ts'

it('gives each id a locally administered address of one station, and always the same', () => {
  const ids = Array.from({ length: 2000 }, () => randomUUID())
  const addresses = ids.map((id) => formatMac(defaultMac(id)))
  expect(addresses.every((address) => address.startsWith('02:'))).toBe(true)
  expect(new Set(addresses).size).toBe(ids.length)
  expect(ids.map((id) => formatMac(defaultMac(id)))).toEqual(addresses)
})
