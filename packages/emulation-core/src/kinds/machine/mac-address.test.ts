import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { machineDefaults } from './defaults.ts'
import { isUnicastMac, machineMac } from './mac-address.ts'

const settings = { ...machineDefaults, program: 'qemu-system-x86_64', console: 2000, monitor: 2001 }
const id = '6f2a3f0e-52f4-4d0c-9f9b-1d0a5f3c8a11'

describe('machineMac', () => {
  it('returns the same locally administered address at every start', () => {
    expect(machineMac(id, settings, 0)).toBe(machineMac(id.toUpperCase(), settings, 0))
    expect(machineMac(id, settings, 10)).toMatch(/^0e(:[0-9a-f]{2}){4}:0a$/)
  })

  it('returns different addresses for adapters and instances', () => {
    const uuids = Array.from({ length: 2000 }, () => crypto.randomUUID())
    // Ids that clients count up are as far apart.
    const counted = Array.from({ length: 2000 }, (_, at) => `00000000-0000-4000-8000-${`${at}`.padStart(12, '0')}`)
    const firsts = [...uuids, ...counted].map((each) => machineMac(each, settings, 0))
    expect(new Set(firsts).size).toBe(4000)
    const adapters = Array.from({ length: 275 }, (_, adapter) => machineMac(id, settings, adapter))
    expect(new Set(adapters).size).toBe(275)
  })

  it('counts from the given address, and stays an address of one adapter', () => {
    const given = { ...settings, macAddress: '0C:FF:FF:FF:FF:FE' }
    expect([0, 1, 2].map((adapter) => machineMac(id, given, adapter))).toEqual([
      '0c:ff:ff:ff:ff:fe',
      '0c:ff:ff:ff:ff:ff',
      '0c:00:00:00:00:00',
    ])
    const byte = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'))
    const address = fc.array(byte, { minLength: 6, maxLength: 6 }).map((bytes) => bytes.join(':'))
    fc.assert(
      fc.property(address.filter(isUnicastMac), fc.integer({ min: 0, max: 274 }), (macAddress, adapter) =>
        isUnicastMac(machineMac(id, { ...settings, macAddress }, adapter)),
      ),
    )
  })

  it('prefers the address of a custom adapter', () => {
    const custom = { ...settings, customAdapters: [{ adapter: 3, macAddress: '0C:00:00:00:00:AA' }, { adapter: 4 }] }
    expect(machineMac(id, custom, 3)).toBe('0c:00:00:00:00:aa')
    expect(machineMac(id, custom, 4)).toBe(machineMac(id, settings, 4))
  })
})
