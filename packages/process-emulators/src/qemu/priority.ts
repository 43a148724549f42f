import { readdir } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { type ProcessPriority, Refusal } from '@trivium/emulation-core/ports'

const niceness: Readonly<Record<ProcessPriority, number>> = {
  realtime: -20,
  'very high': -15,
  high: -5,
  normal: 0,
  low: 5,
  'very low': 19,
}

/**
 * Applies a priority to all threads of a process. Rejects with a `Refusal` where the server lacks the privilege, which
 * every priority above the current one of the process requires.
 */
export async function applyPriority(pid: number, priority: ProcessPriority): Promise<void> {
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    try {
      setPriority(Number(thread), niceness[priority])
    } catch (error) {
      if (codeOf(error) === 'ESRCH') continue
      throw new Refusal('failed', `The server is not permitted to set the process priority '${priority}'.`, {
        cause: error,
      })
    }
  }
}

/** The error code of the system, which Node wraps. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('info' in error && typeof error.info === 'object' && error.info !== null && 'code' in error.info) {
    return String(error.info.code)
  }
  return 'code' in error ? String(error.code) : undefined
}
