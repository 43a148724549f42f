import { expect, it } from 'vitest'
import { drawLoopbackAddress } from './loopback-address.ts'

it('draws a random loopback address on Linux, outside 127.0.0.x', () => {
  const drawn = Array.from({ length: 1000 }, () => drawLoopbackAddress('linux'))
  expect(new Set(drawn).size).toBeGreaterThan(990)
  for (const address of drawn) expect(address).toMatch(/^127(\.\d{1,3}){3}$/)
  expect(drawn.filter((address) => address.startsWith('127.0.0.'))).toEqual([])
})

it('returns 127.0.0.1 on other systems', () => {
  expect(drawLoopbackAddress('darwin')).toBe('127.0.0.1')
})
