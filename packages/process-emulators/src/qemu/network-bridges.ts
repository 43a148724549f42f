/** The first bus has 32 slots, of which the machine itself and its disks use some. */
const FIRST_BUS_ADAPTERS = 24
/** A bridge has 31 slots. The last one of the first bridge is for the second. */
const FIRST_BRIDGE_ADAPTERS = 30
const SECOND_BRIDGE_SLOT = FIRST_BRIDGE_ADAPTERS + 1
/** The second bridge has as many adapters in each slot: each further bridge takes 4 KiB of the 64 KiB of I/O addresses. */
const SLOT_ADAPTERS = 8

const FIRST_BRIDGE = 'nics'
const SECOND_BRIDGE = 'nics1'

/**
 * Returns the bridges that this number of adapters needs: none, one, or one in the last slot of the other. The place of an
 * adapter does not depend on how many follow.
 */
export function bridgeParameters(adapters: number): readonly string[] {
  const after = adapters - FIRST_BUS_ADAPTERS
  return [
    ...(after > 0 ? ['-device', `pci-bridge,id=${FIRST_BRIDGE},chassis_nr=1`] : []),
    ...(after > FIRST_BRIDGE_ADAPTERS
      ? [
          '-device',
          `pci-bridge,id=${SECOND_BRIDGE},chassis_nr=2,bus=${FIRST_BRIDGE},addr=0x${SECOND_BRIDGE_SLOT.toString(16)}`,
        ]
      : []),
  ]
}

/** Returns the properties of the place of an adapter: empty for a free slot of the first bus. */
export function adapterPlace(adapter: number): string {
  const first = adapter - FIRST_BUS_ADAPTERS
  const second = first - FIRST_BRIDGE_ADAPTERS
  if (first < 0) return ''
  if (second < 0) return `,bus=${FIRST_BRIDGE},addr=0x${(first + 1).toString(16)}`
  const slot = Math.floor(second / SLOT_ADAPTERS) + 1
  return `,bus=${SECOND_BRIDGE},addr=0x${slot.toString(16)}.${second % SLOT_ADAPTERS},multifunction=on`
}
