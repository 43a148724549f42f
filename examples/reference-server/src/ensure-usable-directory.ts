import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateDirectory, writePrivateFile } from './private-files.ts'
import { SettingsError } from './settings.ts'

/** Larger than what a file system stores in the metadata of a file. */
const TRIAL_BYTES = 8192

/**
 * Creates the directory with mode 0700 where it is absent, and verifies that this user can read it and write to it.
 *
 * @param setting the flag or variable that chooses another directory, for the message
 * @throws SettingsError where the directory cannot be used
 */
export async function ensureUsableDirectory(directory: string, setting: string): Promise<void> {
  try {
    makePrivateDirectory(directory)
    await readdir(directory)
    await assertWritable(directory)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new SettingsError(
      `The directory "${directory}" cannot be used (${reason}). Choose another directory with ${setting}.`,
    )
  }
}

/** Writes a file of 8 KiB and removes it: permissions alone do not show a full disk, or a place such as /proc. */
export async function assertWritable(directory: string): Promise<void> {
  const trial = join(directory, `.trial-${randomUUID()}`)
  try {
    await writePrivateFile(trial, new Uint8Array(TRIAL_BYTES))
  } finally {
    await rm(trial, { force: true })
  }
}
