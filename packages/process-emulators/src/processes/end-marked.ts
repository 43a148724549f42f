import { endProcesses } from './end-processes.ts'
import { START_VARIABLE } from './process-environment.ts'
import { findByEnvironment, type MarkedProcess } from './process-identity.ts'

/** A process can start another before it is killed, so that several rounds are needed. */
const MAX_ROUNDS = 10

type Scan = Promise<readonly MarkedProcess[]>

let running: Scan | undefined
let next: Scan | undefined

function begin(): Scan {
  running = findByEnvironment(START_VARIABLE).finally(() => {
    running = undefined
  })
  return running
}

/** Lists the marked processes. Concurrent calls share a scan that starts after the call. */
function scan(): Scan {
  if (running === undefined) return begin()
  next ??= running.then(() => {
    next = undefined
    return begin()
  })
  return next
}

/** Kills every process with the mark of this start, also in other sessions and groups. */
export async function endMarked(mark: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = (await scan()).filter(({ value }) => value === mark).map(({ process }) => process)
    if (left.length === 0) return
    await endProcesses(left, { graceMs: 0 })
  }
}
