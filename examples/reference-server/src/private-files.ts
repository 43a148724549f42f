import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** What an answered write survives: the end of the process, or also a power failure. */
export type Durability = 'process' | 'power'

/** For the server's user alone. */
const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600

/** Makes the directory and the parents that it lacks, for this user alone. What is there stays as it is. */
export function makePrivateDirectory(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at)
  // One by one: where nothing can be made, as in /proc, Node's own `recursive` never returns.
  for (const directory of missing) {
    try {
      mkdirSync(directory, { mode: DIRECTORY_MODE })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

/** Makes the file where it is absent, and takes the rights of every other user from one that is there. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE))
  chmodSync(path, FILE_MODE)
}

/** Writes a file that does not exist yet, for this user alone. With `power` its content is on the disk after that. */
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

/** Puts the names in a directory on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
