import type { StormControl, StormDrops, StormSort } from '@trivium/emulation-core/ports'
import type { Clock } from '../clock/clock.ts'

/** Counts the frames of a port in each second, and those beyond its limits. */
export interface StormMeter {
  /** Counts a frame. @returns whether it is within the limit */
  allows(sort: StormSort): boolean
  set(limits: StormControl): void
  /** A copy. */
  readonly drops: StormDrops
}

const SECOND_MS = 1000

export function createStormMeter(clock: Clock): StormMeter {
  let limits: StormControl = {}
  let since = Number.NEGATIVE_INFINITY
  let passed = { broadcast: 0, multicast: 0, unknownUnicast: 0 }
  const drops = { broadcast: 0, multicast: 0, unknownUnicast: 0 }
  return {
    allows(sort) {
      const limit = limits[sort]
      if (limit === undefined) return true
      const now = clock.now()
      if (now - since >= SECOND_MS) {
        since = now
        passed = { broadcast: 0, multicast: 0, unknownUnicast: 0 }
      }
      if (passed[sort] < limit) {
        passed[sort] += 1
        return true
      }
      drops[sort] += 1
      return false
    },
    set(next) {
      limits = next
    },
    get drops() {
      return { ...drops }
    },
  }
}
