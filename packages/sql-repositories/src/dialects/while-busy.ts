import { setTimeout } from 'node:timers/promises'
import { isSqliteBusy } from './sqlite-errors.ts'

const LONGEST_PAUSE_MS = 16

/**
 * Runs an action again while another connection holds the lock that it needs. SQLite's own busy handler would stop the
 * event loop for that time.
 */
export async function whileBusy<T>(timeoutMs: number, action: () => T): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return action()
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() > giveUpAt) throw error
    }
    await setTimeout(pause * (0.5 + Math.random()))
  }
}
