import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** What a completed write survives: the end of the process, or also a power failure. */
export type Durability = 'process' | 'power'

/** Only the user of the server has rights. */
const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600

/** Creates the directory and its missing parents with mode 0700. Existing directories stay as they are. */
export function makePrivateDirectory(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at)
  // Node's own `recursive` never returns where no directory can be created, as in /proc.
  for (const directory of missing) {
    try {
      mkdirSync(directory, { mode: DIRECTORY_MODE })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

/** Creates the file where it is absent, and sets mode 0600 in either case. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE))
  chmodSync(path, FILE_MODE)
}

/** Writes a new file with mode 0600. With `power`, resolves once its content is on the disk. Rejects where the file exists. */
export async function writePrivateFile(
  path: string,
  content: string | Uint8Array,
  durability: Durability = 'process',
): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE)
  try {
    await file.writeFile(content)
    if (durability === 'power') await file.datasync()
  } finally {
    await file.close()
  }
}

/** Writes the names in a directory to the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
