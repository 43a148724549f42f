import type { EmulationError } from '../emulation-error.ts'
import type { InstanceRecord } from '../instances/instance.ts'
import type { ProjectId } from './project.ts'

/** Keeps the starts of whole labs that are under way, and when labs are stopped by themselves. */
export interface LabRuns {
  /**
   * Runs the start of a lab. A second start of the same lab gets the result of the first, unless that has been ended:
   * then it follows it.
   */
  start(id: ProjectId, task: (signal: AbortSignal) => Promise<LabRun>): Promise<LabRun>
  /** Ends a start that is under way, and forgets the time of the stop. @returns when the start has ended */
  end(id: ProjectId): Promise<void>
  /** Runs a task after a time, unless {@link end} or another call of this method comes first. */
  stopAfter(id: ProjectId, minutes: number, task: () => void): void
  /** Forgets the time of the stop. */
  keepRunning(id: ProjectId): void
  endAll(): void
}

/** What the start or the stop of a whole lab has done. */
export interface LabRun {
  /** How many instances have started or stopped. */
  readonly changed: number
  readonly failed: readonly LabRunFailure[]
}

/** An instance that could not be started or stopped. */
export interface LabRunFailure {
  readonly instance: Pick<InstanceRecord, 'id' | 'kind' | 'name'>
  readonly error: EmulationError
}

const MINUTE_MS = 60_000

/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1

export function createLabRuns(): LabRuns {
  const starts = new Map<ProjectId, { readonly ending: AbortController; readonly result: Promise<LabRun> }>()
  const timers = new Map<ProjectId, ReturnType<typeof setTimeout>>()

  const stopTimer = (id: ProjectId) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }

  const wait = (id: ProjectId, milliseconds: number, task: () => void) => {
    const step = Math.min(milliseconds, LONGEST_MS)
    const timer = setTimeout(() => {
      timers.delete(id)
      if (milliseconds > step) wait(id, milliseconds - step, task)
      else task()
    }, step)
    timers.set(id, timer)
  }

  const end = async (id: ProjectId) => {
    stopTimer(id)
    const current = starts.get(id)
    current?.ending.abort()
    await current?.result.catch(() => {})
  }

  return {
    start: (id, task) => {
      const current = starts.get(id)
      if (current && !current.ending.signal.aborted) return current.result
      const ending = new AbortController()
      const run = async () => {
        await current?.result.catch(() => {})
        return task(ending.signal)
      }
      const result = run().finally(() => {
        if (starts.get(id)?.ending === ending) starts.delete(id)
      })
      starts.set(id, { ending, result })
      return result
    },
    end,
    stopAfter: (id, minutes, task) => {
      stopTimer(id)
      wait(id, minutes * MINUTE_MS, task)
    },
    keepRunning: stopTimer,
    endAll: () => {
      for (const id of new Set([...starts.keys(), ...timers.keys()])) void end(id)
    },
  }
}
