import type { MacAddress } from '../../addresses/mac-address.ts'
import type { Clock } from '../../clock/clock.ts'

/** The network card of a virtual PC, as its protocols use it. */
export interface Link {
  readonly mac: MacAddress
  readonly clock: Clock
  /** Returns numbers as `Math.random`, for identifiers and ports that other hosts should not guess. */
  readonly random: () => number
  /** Sends the payload in one frame. */
  readonly send: (destination: MacAddress, etherType: number, payload: Uint8Array) => void
}

export const randomUint16 = (random: () => number): number => Math.floor(random() * 0x10000)
