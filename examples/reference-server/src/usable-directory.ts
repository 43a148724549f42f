import { accessSync, constants, mkdirSync } from 'node:fs'
import { SettingsError } from './settings.ts'

/**
 * Makes the directory, for this user alone, unless it is there, and finds out whether this user may write into it.
 *
 * @param setting what chooses another one, for the person who has to
 */
export function usableDirectory(directory: string, setting: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new SettingsError(`The directory ${directory} cannot be used (${reason}); choose another with ${setting}.`)
  }
}
