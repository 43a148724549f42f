import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writePlainFile } from '../processes/write-plain-file.ts'

/** In the instance's directory while its VM runs: the VM is not a child of the server, so a crash leaves it running. */
const RUNNING_FILE = 'running-vm.json'

export interface RunningRecord {
  readonly machine: string
  readonly adapters: number
}

export const writeRunningRecord = (directory: string, record: RunningRecord): Promise<void> =>
  writePlainFile(join(directory, RUNNING_FILE), JSON.stringify(record))

/** `undefined` where none was left, or none that can be read. */
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
