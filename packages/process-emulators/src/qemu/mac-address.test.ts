import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { macAddress } from './mac-address.ts'

it('returns the same locally administered address at every start', () => {
  const id = '6f2a3f0e-52f4-4d0c-9f9b-1d0a5f3c8a11'
  expect(macAddress(id, 0)).toBe(macAddress(id.toUpperCase(), 0))
  expect(macAddress(id, 10)).toMatch(/^0e(:[0-9a-f]{2}){4}:0a$/)
})

it('returns different addresses for adapters and instances', () => {
  const addresses = Array.from({ length: 500 }, randomUUID).flatMap((id) => [macAddress(id, 0), macAddress(id, 1)])
  expect(new Set(addresses).size).toBe(1000)
})
