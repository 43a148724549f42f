import { readFileSync } from 'node:fs'
import type { ServerProcess } from '../server-process.ts'

/** Returns the process ids of the workers, as Linux lists the children of a process. */
export function workersOf({ process: { pid } }: ServerProcess): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((id) => id !== '')
    .map(Number)
}
