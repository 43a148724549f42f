import { endProcesses } from './end-processes.ts'
import { START_VARIABLE } from './process-environment.ts'
import { findByEnvironment, type MarkedProcess } from './process-identity.ts'

/** What is killed may just have started another. */
const MOST_ROUNDS = 10

type Scan = Promise<readonly MarkedProcess[]>

let running: Scan | undefined
let next: Scan | undefined

function begin(): Scan {
  running = findByEnvironment(START_VARIABLE).finally(() => {
    running = undefined
  })
  return running
}

/** All of the processes there are, as of now or later: many that end together look once. */
function scan(): Scan {
  if (running === undefined) return begin()
  next ??= running.then(() => {
    next = undefined
    return begin()
  })
  return next
}

/** Kills every process that has the mark of this start, wherever it has gone. */
export async function endMarked(mark: string): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const left = (await scan()).filter(({ value }) => value === mark).map(({ process }) => process)
    if (left.length === 0) return
    await endProcesses(left, { graceMs: 0 })
  }
}
