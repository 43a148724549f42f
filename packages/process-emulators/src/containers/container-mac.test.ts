import { expect, it } from 'vitest'
import { containerMac } from './container-mac.ts'

it('gives each adapter of each instance an address of its own', () => {
  const macs = ['one', 'two'].flatMap((id) => [0, 1, 31].map((adapter) => containerMac(id, adapter)))
  for (const mac of macs) expect(mac).toMatch(/^02(:[0-9a-f]{2}){5}$/)
  expect(new Set(macs).size).toBe(6)
  expect(containerMac('one', 1)).toBe(macs[1])
})
