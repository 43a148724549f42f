import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from './private-files.ts'
import { SettingsError } from './settings.ts'

const BUSY = 5

/**
 * Labs run in one server only: another one over the same directory would take theirs for what a crash has left, and end
 * them. The lock is SQLite's on an empty file, which the operating system lets go with the process, whatever ends it.
 */
export function holdLabs(dataDirectory: string): { release(): void } {
  const path = join(dataDirectory, 'labs.lock')
  // A user who can read it can lock it, and keep this server from starting.
  makePrivateFile(path)
  const file = new DatabaseSync(path)
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY)) throw error
    throw new SettingsError(
      `Another server runs the labs of ${dataDirectory}; stop it, choose another directory with --data-dir, or leave emulation out with TRIVIUM_SERVICES=gateway,storage.`,
    )
  }
  return { release: () => file.close() }
}
