import type { MacAddress } from '../../addresses/mac-address.ts'
import type { Clock } from '../../clock/clock.ts'

/** The one network card of a virtual PC, as its protocols see it. */
export interface Link {
  readonly mac: MacAddress
  readonly clock: Clock
  /** As `Math.random`: identifiers and ports that others should not guess. */
  readonly random: () => number
  /** Sends the payload in one frame. */
  readonly send: (destination: MacAddress, etherType: number, payload: Uint8Array) => void
}

export const randomUint16 = (random: () => number): number => Math.floor(random() * 0x10000)
