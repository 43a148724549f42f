import type { MacAddress } from '../addresses/mac-address.ts'
import type { MacTable, MacTableRow } from './mac-table.ts'

const SLOTS = 4096

function slotOf(vlan: number, mac: MacAddress): number {
  const low = mac % 0x100000000
  return (Math.floor(mac / 0x100000000) ^ (low >>> 16) ^ (low & 0xffff) ^ vlan) & (SLOTS - 1)
}

/**
 * The table of dynamips: 4,096 slots that addresses share. A new address replaces the one in its slot, although others
 * are free. Only to reproduce recorded behaviour exactly.
 */
export function createSlottedMacTable<P>(): MacTable<P> {
  const table: (MacTableRow<P> | undefined)[] = new Array<MacTableRow<P> | undefined>(SLOTS).fill(undefined)
  return {
    learn(vlan, mac, port) {
      const slot = slotOf(vlan, mac)
      const known = table[slot]
      if (known?.mac !== mac || known.vlan !== vlan || known.port !== port) table[slot] = { vlan, mac, port }
    },
    find(vlan, mac) {
      const entry = table[slotOf(vlan, mac)]
      return entry?.mac === mac && entry.vlan === vlan ? entry.port : undefined
    },
    forget(port) {
      table.forEach((entry, slot) => {
        if (entry?.port === port) table[slot] = undefined
      })
    },
    clear: () => void table.fill(undefined),
    age: () => {},
    size: 0,
    entries: () => table.filter((entry) => entry !== undefined),
  }
}
