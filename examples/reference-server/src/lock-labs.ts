import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from './private-files.ts'
import { SettingsError } from './settings.ts'

const BUSY = 5

/**
 * Locks the labs of a data directory for this process. A second server over the same directory would take the running labs
 * for the remains of a crash, and end them. The lock is SQLite's on an empty file: the operating system releases it when
 * the process ends.
 */
export function lockLabs(dataDirectory: string): { release(): void } {
  const path = join(dataDirectory, 'labs.lock')
  // A user who can read the file can lock it, and so keep this server from starting.
  makePrivateFile(path)
  const file = new DatabaseSync(path)
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY)) throw error
    throw new SettingsError(
      `Another server runs the labs of "${dataDirectory}". Stop it, choose another directory with --data-dir, or leave emulation out with TRIVIUM_SERVICES=gateway,storage.`,
    )
  }
  return { release: () => file.close() }
}
