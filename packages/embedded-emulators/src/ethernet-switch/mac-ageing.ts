import type { Clock } from '../clock/clock.ts'
import type { MacTable } from './mac-table.ts'

/** Removes the addresses of a table that have sent nothing for some time. No timer runs while the table is empty. */
export interface MacAgeing {
  /** Sets the time. 0 keeps addresses. */
  set(seconds: number): void
  /** Must be called after an address was learned. */
  learned(): void
  stop(): void
}

/** The table counts turns of this part of the time, so that no frame reads the clock. */
const TURNS = 10

export function createMacAgeing(table: Pick<MacTable<unknown>, 'age' | 'size'>, clock: Clock): MacAgeing {
  let turnMs = 0
  let cancel: (() => void) | undefined

  const stop = () => {
    cancel?.()
    cancel = undefined
  }

  const schedule = () => {
    if (cancel !== undefined || turnMs === 0 || table.size === 0) return
    cancel = clock.after(turnMs, () => {
      cancel = undefined
      table.age(TURNS)
      schedule()
    })
  }

  return {
    set(seconds) {
      const next = (seconds * 1000) / TURNS
      if (next === turnMs) return
      stop()
      turnMs = next
      schedule()
    },
    learned() {
      if (cancel === undefined) schedule()
    },
    stop,
  }
}
