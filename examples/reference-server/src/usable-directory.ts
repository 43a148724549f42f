import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateDirectory, writePrivateFile } from './private-files.ts'
import { SettingsError } from './settings.ts'

/** More than fits into the metadata of a file. */
const TRIAL_BYTES = 8192

/**
 * Makes the directory, for this user alone, unless it is there, and makes sure that this user can read it and write into
 * it.
 *
 * @param setting what chooses another one, for the person who has to
 */
export async function usableDirectory(directory: string, setting: string): Promise<void> {
  try {
    makePrivateDirectory(directory)
    await readdir(directory)
    await proveWritable(directory)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new SettingsError(`The directory ${directory} cannot be used (${reason}); choose another with ${setting}.`)
  }
}

/** Writes a file of one block, and removes it. Rights alone do not show it: in /proc every right is there, and on a full disk. */
export async function proveWritable(directory: string): Promise<void> {
  const trial = join(directory, `.trial-${randomUUID()}`)
  try {
    await writePrivateFile(trial, new Uint8Array(TRIAL_BYTES))
  } finally {
    await rm(trial, { force: true })
  }
}
