import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writePlainFile } from '../processes/write-plain-file.ts'

/** A file in the directory of the instance while its VM runs, as the VM continues to run when the server crashes. */
const RUNNING_FILE = 'running-vm.json'

export interface RunningRecord {
  readonly machine: string
  readonly adapters: number
}

export const writeRunningRecord = (directory: string, record: RunningRecord): Promise<void> =>
  writePlainFile(join(directory, RUNNING_FILE), JSON.stringify(record))

/** `undefined` where the file is absent or cannot be read. */
export async function readRunningRecord(directory: string): Promise<RunningRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(directory, RUNNING_FILE), 'utf8'))
    if (typeof value !== 'object' || value === null || !('machine' in value) || !('adapters' in value)) return undefined
    const { machine, adapters } = value
    return typeof machine === 'string' && typeof adapters === 'number' ? { machine, adapters } : undefined
  } catch {
    return undefined
  }
}

export const removeRunningRecord = (directory: string): Promise<void> =>
  rm(join(directory, RUNNING_FILE), { force: true })
